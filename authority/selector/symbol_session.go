package selector

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"ctxptr/authority/selector/symbols"
)

// SessionOptions bounds what a Session spends. Zero means the default.
type SessionOptions struct {
	// Companion is the absolute path of the companion program; by default the
	// file ctxptr-symbols in the folder of the running executable, and nowhere
	// else.
	Companion string
	// Deadline is the processor time that one file may take, 2 s by default;
	// five times that by the clock is the end in any case.
	Deadline time.Duration
	// Memory is the number of bytes that parsing one file may take in the
	// companion, 512 MiB by default.
	Memory int64
	// Processes is how many companions may run at once, by default one a
	// processor. A batch that asks for one file after the other, or for few small
	// ones, starts one.
	Processes int
}

// Session holds the companion processes of one command: started when first
// needed, replaced after a kill, ended by Close. Its methods may be called from
// several goroutines.
type Session struct {
	options SessionOptions
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup // lanes

	mu      sync.Mutex
	arrived *sync.Cond // a question did, or the end
	queue   []*question
	load    int // weight of all questions without an answer
	lanes   int
	known   []string // languages of the companion, once one has started
	closed  bool
}

// NewSession returns a Session; no process is started yet.
func NewSession(options SessionOptions) *Session {
	if options.Deadline <= 0 {
		options.Deadline = 2 * time.Second
	}
	if options.Memory <= 0 {
		options.Memory = 512 << 20
	}
	if options.Processes <= 0 {
		options.Processes = runtime.GOMAXPROCS(0)
	}
	s := &Session{options: options}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.arrived = sync.NewCond(&s.mu)
	return s
}

type sessionKey struct{}

// WithSession returns a context under which selectors use s.
func WithSession(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// sessionOf returns the session of ctx and a function to call when done with
// it. Without one it is a new session, which that function closes.
func sessionOf(ctx context.Context) (s *Session, done func()) {
	if s, ok := ctx.Value(sessionKey{}).(*Session); ok {
		return s, func() {}
	}
	s = NewSession(SessionOptions{Processes: 1})
	return s, s.Close
}

// Stop kills the companions and does not wait for their end, as Close does. What is
// asked afterwards is not answered.
func (s *Session) Stop() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.arrived.Broadcast()
}

// Close stops the companions and waits for their end.
func (s *Session) Close() {
	s.Stop()
	s.running.Wait()
	for _, q := range s.queue { // no lane is left to touch it
		q.answer <- answer{absent: errClosed}
	}
	s.queue = nil
}

// languages returns those of the companion, none where it cannot be used.
func (s *Session) languages(ctx context.Context) []string {
	a := s.ask(&question{ctx: ctx})
	return slices.DeleteFunc(slices.Clone(a.languages), func(l string) bool { return l == symbols.CHeader })
}

// outline asks a companion for the outline of one source file. The error is an
// *Error.
func (s *Session) outline(ctx context.Context, language string, source []byte) (symbols.Outline, error) {
	if known := s.knownLanguages(); known != nil && !slices.Contains(known, language) {
		return symbols.Outline{}, unsupportedLanguage(language)
	}
	request := symbols.Request{Language: language, Source: source}
	a := s.ask(&question{ctx: ctx, language: language, size: len(source), frame: request.Frame()})
	switch {
	case a.fault != nil || ctx.Err() != nil && a.absent != nil:
		return symbols.Outline{}, s.failure(ctx, a.fault)
	case a.absent != nil:
		return symbols.Outline{}, noCompanion(language, a.absent)
	}
	return outcome(language, a.reply)
}

// start starts a companion.
func (s *Session) start() (*companion, error) {
	path := s.options.Companion
	if path == "" {
		var err error
		if path, err = besideExecutable(); err != nil {
			return nil, err
		}
	}
	c, err := startCompanion(s.ctx, path, s.options)
	if err != nil && s.ctx.Err() != nil {
		err = errClosed
	}
	return c, err
}

// besideExecutable returns the path of the companion in the folder of the
// running executable.
func besideExecutable() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(self), companionName), nil
}

// failure turns what went wrong with a companion while it had a file into the
// fault of that file.
func (s *Session) failure(ctx context.Context, err error) *Error {
	switch {
	case ctx.Err() != nil:
		return &Error{Fault: OverLimit, Proof: "parsing the file for symbols was cut short: the time for the whole command is over"}
	case err == errDeadline:
		return &Error{Fault: OverLimit, Proof: fmt.Sprintf("parsing the file for symbols took more than the %s a file may take", s.options.Deadline)}
	case err == errMemory:
		return &Error{Fault: OverLimit, Proof: fmt.Sprintf("parsing the file for symbols took more than the %d bytes of memory a file may take", s.options.Memory)}
	}
	return &Error{Fault: BadContent, Proof: "the parser for symbols did not survive this file"}
}

// outcome turns a companion's reply into an outline or a fault.
func outcome(language string, r symbols.Reply) (symbols.Outline, error) {
	switch r.Status {
	case symbols.OK:
		return r.Outline, nil
	case symbols.NoLanguage:
		return symbols.Outline{}, unsupportedLanguage(language)
	case symbols.BadSource:
		return symbols.Outline{}, &Error{Fault: BadContent, Offset: r.Offset, Proof: "the file is no source code: it has a NUL byte or is not UTF-8"}
	}
	return symbols.Outline{}, &Error{Fault: OverLimit, Proof: "the file nests deeper, or defines more, than is parsed for symbols"}
}

func unsupportedLanguage(language string) *Error {
	return &Error{Fault: Unsupported, Lacking: true, Proof: fmt.Sprintf("this installation cannot parse %s: its ctxptr-symbols was built without it", language)}
}

// noCompanion says why no companion answers for a language.
func noCompanion(language string, err error) *Error {
	why := "ctxptr-symbols beside ctxptr does not start"
	switch {
	case err == errVersion:
		why = "ctxptr-symbols beside ctxptr is of another version"
	case err == errClosed:
		return &Error{Fault: OverLimit, Proof: "the command ended before the file was parsed for symbols"}
	case os.IsNotExist(err):
		why = "ctxptr-symbols is not installed beside ctxptr"
	}
	return &Error{Fault: Unsupported, Lacking: true, Proof: fmt.Sprintf("this installation cannot parse %s: %s", language, why)}
}

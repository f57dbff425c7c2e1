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
	// processor. A batch that asks for one file after the other starts one.
	Processes int
}

// Session holds the companion processes of one command: started when first
// needed, one per file at a time, replaced after a kill, ended by Close. Its
// methods may be called from several goroutines.
type Session struct {
	options SessionOptions
	slots   chan struct{} // one token for each companion that may run

	mu     sync.Mutex
	idle   []*companion
	known  []string // languages of the companion, once one has started
	closed bool
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
	return &Session{options: options, slots: make(chan struct{}, options.Processes)}
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

// Close ends the companions. What is asked afterwards is not answered.
func (s *Session) Close() {
	s.mu.Lock()
	idle := s.idle
	s.idle, s.closed = nil, true
	s.mu.Unlock()
	for _, c := range idle {
		c.kill() // all of them before one is waited for
	}
	for _, c := range idle {
		c.end()
	}
}

// languages returns those of the companion, none where it cannot be used.
func (s *Session) languages(ctx context.Context) []string {
	c, err := s.acquire(ctx)
	if err != nil {
		return nil
	}
	s.release(c, true)
	list := slices.DeleteFunc(slices.Clone(c.languages), func(l string) bool { return l == symbols.CHeader })
	return list
}

// outline asks the companion for the outline of one source file. The error is
// an *Error.
func (s *Session) outline(ctx context.Context, language string, source []byte) (symbols.Outline, error) {
	if known := s.knownLanguages(); known != nil && !slices.Contains(known, language) {
		return symbols.Outline{}, unsupportedLanguage(language)
	}
	for {
		c, err := s.acquire(ctx)
		if err != nil {
			return symbols.Outline{}, noCompanion(ctx, language, err)
		}
		if !slices.Contains(c.languages, language) {
			s.release(c, true)
			return symbols.Outline{}, unsupportedLanguage(language)
		}
		fresh := c.fresh
		reply, err := c.ask(ctx, s.options.Deadline, symbols.Request{Language: language, Source: source})
		s.release(c, err == nil)
		switch {
		case err == nil:
			return outcome(language, reply)
		case fresh || err == errDeadline || err == errMemory || ctx.Err() != nil:
			return symbols.Outline{}, s.failure(ctx, err)
		}
		// A companion that had other files before may have died of something
		// else than this one: ask once more, a new one.
	}
}

func (s *Session) knownLanguages() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known
}

// acquire returns a companion that nobody else uses, started if need be.
func (s *Session) acquire(ctx context.Context) (*companion, error) {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.Lock()
	closed := s.closed
	var c *companion
	if n := len(s.idle); n > 0 {
		c, s.idle = s.idle[n-1], s.idle[:n-1]
	}
	s.mu.Unlock()
	if c != nil {
		return c, nil
	}
	err := errClosed
	if !closed {
		c, err = s.start(ctx)
	}
	if err != nil {
		<-s.slots
		return nil, err
	}
	s.mu.Lock()
	s.known = c.languages
	s.mu.Unlock()
	return c, nil
}

func (s *Session) start(ctx context.Context) (*companion, error) {
	path := s.options.Companion
	if path == "" {
		var err error
		if path, err = besideExecutable(); err != nil {
			return nil, err
		}
	}
	return startCompanion(ctx, path, s.options)
}

// release gives c back, or ends it where it is of no further use.
func (s *Session) release(c *companion, useful bool) {
	s.mu.Lock()
	keep := useful && !c.killed && !s.closed
	if keep {
		s.idle = append(s.idle, c)
	}
	s.mu.Unlock()
	if !keep {
		c.end()
	}
	<-s.slots
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
func noCompanion(ctx context.Context, language string, err error) *Error {
	why := "ctxptr-symbols beside ctxptr does not start"
	switch {
	case err == errVersion:
		why = "ctxptr-symbols beside ctxptr is of another version"
	case err == errClosed || ctx.Err() != nil:
		return &Error{Fault: OverLimit, Proof: "the command ended before the file was parsed for symbols"}
	case os.IsNotExist(err):
		why = "ctxptr-symbols is not installed beside ctxptr"
	}
	return &Error{Fault: Unsupported, Lacking: true, Proof: fmt.Sprintf("this installation cannot parse %s: %s", language, why)}
}

package selector

import (
	"context"

	"ctxptr/authority/selector/symbols"
)

type asideKey struct{}

// WithAside returns a context under which a selector that waits for a companion to
// parse a small file does so in aside, which calls the function that it is given
// and may let something else be done in the meantime.
func WithAside(ctx context.Context, aside func(wait func())) context.Context {
	return context.WithValue(ctx, asideKey{}, aside)
}

// Expect has the companions started that so many files will need under ctx: until
// the first is asked, the files can be found and read.
func Expect(ctx context.Context, files int) {
	if s, ok := ctx.Value(sessionKey{}).(*Session); ok {
		s.expect(files)
	}
}

// NeedsCompanion reports whether a companion parses the file of a name for s.
func (s Selector) NeedsCompanion(path string) bool {
	switch l := symbols.Of(path, nil); l {
	case "", symbols.Go, symbols.Swift:
		return false
	}
	return s.kind == symbolKind
}

// ask has a question answered, unless its context ends before that.
func (s *Session) ask(q *question) (a answer) {
	q.answer = make(chan answer, 1)
	if !s.enter(q) {
		return answer{absent: errClosed}
	}
	wait := func() {
		select {
		case a = <-q.answer:
		case <-q.ctx.Done():
			a = answer{absent: q.ctx.Err()}
		}
	}
	if aside, ok := q.ctx.Value(asideKey{}).(func(func())); ok && q.size <= symbols.AheadBytes {
		aside(wait)
	} else {
		wait()
	}
	return a
}

// enter puts a question in the queue. It starts one more lane where those there are
// have as much to do as a companion is asked ahead, which takes about as long as
// starting one.
func (s *Session) enter(q *question) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.queue = append(s.queue, q)
	if s.lanes < s.options.Processes && s.load >= s.lanes*symbols.AheadBytes {
		s.lanes++
		s.running.Go((&lane{session: s}).run)
	} else {
		s.arrived.Signal()
	}
	s.load += q.weight()
	return true
}

// expect starts the lanes, and their companions, that so many files will need.
func (s *Session) expect(files int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	want := min(1+files/symbols.Ahead, s.options.Processes)
	for ; s.lanes < want && !s.closed; s.lanes++ {
		l := &lane{session: s}
		s.running.Go(func() {
			l.start()
			l.run()
		})
	}
}

// reply answers a question.
func (s *Session) reply(q *question, a answer) {
	s.mu.Lock()
	s.load -= q.weight()
	s.mu.Unlock()
	q.answer <- a
}

func (s *Session) knownLanguages() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known
}

func (s *Session) learn(languages []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = languages
}

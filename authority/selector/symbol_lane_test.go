package selector

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ctxptr/authority/selector/symbols"
)

// pythonQuestion asks for the outline of a Python file.
func pythonQuestion(ctx context.Context, source string) *question {
	request := symbols.Request{Language: symbols.Python, Source: []byte(source)}
	return &question{ctx: ctx, language: request.Language, size: len(source), frame: request.Frame(), answer: make(chan answer, 1)}
}

// together asks a session with no lanes several questions before the first lane
// takes any, so that they are sent ahead as far as that goes.
func together(t *testing.T, s *Session, questions ...*question) {
	t.Helper()
	last := len(questions) - 1
	s.mu.Lock()
	for _, q := range questions[:last] {
		s.queue, s.load = append(s.queue, q), s.load+q.weight()
	}
	s.mu.Unlock()
	if !s.enter(questions[last]) {
		t.Fatal("the session is closed")
	}
}

// TestAhead has files of which some end the companion behind and before others
// that it has been sent: each answer is that of the file alone.
func TestAhead(t *testing.T) {
	for name, want := range map[string]error{"hang": errDeadline, "slow": errDeadline, "greedy": errMemory, "crash": nil, "tired": nil} {
		for _, files := range []string{"good bad", "bad good", "good bad good bad bad good", "bad bad good good", "good good good"} {
			t.Run(name+" "+files, func(t *testing.T) {
				t.Parallel()
				deadline := time.Minute
				if name == "hang" { // which takes five times that
					deadline = 200 * time.Millisecond
				}
				ctx := fake(t, name, deadline)
				s, _ := sessionOf(ctx)
				var questions []*question
				for file := range strings.FieldsSeq(files) {
					questions = append(questions, pythonQuestion(ctx, file))
				}
				together(t, s, questions...)
				for i, file := range strings.Fields(files) {
					a := <-questions[i].answer
					bad := file == "bad" && name != "tired"
					if a.absent != nil || bad != (a.fault != nil) || bad && want != nil && a.fault != want || !bad && len(a.reply.Outline.Defs) != 1 {
						t.Errorf("file %d: got %+v", i, a)
					}
				}
				if s.load != 0 || s.lanes != 1 {
					t.Errorf("a load of %d is left, on %d lanes", s.load, s.lanes)
				}
			})
		}
	}
}

// TestAheadBounds fills a lane that has no companion yet.
func TestAheadBounds(t *testing.T) {
	size := func(n int) *question { return &question{size: n} }
	const room = symbols.AheadBytes - 2*symbols.FileBytes
	many := make([]*question, symbols.Ahead+1)
	for i := range many {
		many[i] = size(0)
	}
	for name, tt := range map[string]struct {
		queue []*question
		want  int
	}{
		"many":        {many, symbols.Ahead},
		"large first": {[]*question{size(symbols.MaxSource), size(0), size(1)}, 1},
		"large later": {[]*question{size(1), size(room)}, 1},
		"just enough": {[]*question{size(1), size(room - 1), size(0)}, 2},
	} {
		s := NewSession(SessionOptions{})
		s.queue = tt.queue
		l := &lane{session: s}
		for range 2 { // the second time there is no room
			if !l.take() || len(l.asked) != tt.want || len(s.queue) != len(tt.queue)-tt.want {
				t.Errorf("%s: %d of %d are taken", name, len(l.asked), len(tt.queue))
			}
		}
	}
}

// TestLanes counts the companions that files take which stay unanswered.
func TestLanes(t *testing.T) {
	small, large := "bad", "bad"+strings.Repeat(" ", symbols.AheadBytes)
	many := make([]string, symbols.Ahead+1)
	for i := range many {
		many[i] = small
	}
	for name, tt := range map[string]struct {
		sources []string
		want    int
	}{
		"one large one":   {[]string{large}, 1},
		"few small ones":  {[]string{small, small, small}, 1},
		"many small ones": {many, 2},
		"large ones":      {[]string{large, large, large, large}, 2},
		"large and more":  {[]string{large, small, small}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := fake(t, "hang", time.Minute)
			s, _ := sessionOf(ctx)
			s.options.Processes = 2
			for _, source := range tt.sources {
				s.enter(pythonQuestion(ctx, source))
			}
			if s.lanes != tt.want {
				t.Errorf("got %d lanes, want %d", s.lanes, tt.want)
			}
		})
	}
}

// TestExpect counts the companions that are started for files to come.
func TestExpect(t *testing.T) {
	for files, want := range map[int]int{1: 1, symbols.Ahead - 1: 1, symbols.Ahead: 2, 100: 3} {
		ctx := fake(t, "good", time.Second)
		s, _ := sessionOf(ctx)
		s.options.Processes = 3
		Expect(ctx, files)
		Expect(ctx, 1)
		if s.lanes != want {
			t.Errorf("%d files: got %d lanes, want %d", files, s.lanes, want)
		}
		if got, proof := ask(ctx, t, "good"); got != 0 {
			t.Errorf("%d files: got %d (%s)", files, got, proof)
		}
		s.Close()
		Expect(ctx, 100)
		if s.lanes != want {
			t.Errorf("%d files: %d lanes once it is closed", files, s.lanes)
		}
	}
	Expect(t.Context(), 1) // there is nothing to start
}

func TestNeedsCompanion(t *testing.T) {
	for _, tt := range []struct {
		selector, path string
		want           bool
	}{
		{"symbol=f", "a/b.py", true},
		{"symbol+doc=f", "HEAD:a.kt", true},
		{"symbol=f", "a.go", false},
		{"symbol=f", "a.swift", false},
		{"symbol=f", "a", false},
		{"lines=1-1", "a.py", false},
	} {
		s, err := Parse(tt.selector)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.NeedsCompanion(tt.path); got != tt.want {
			t.Errorf("%s in %s: got %v", tt.selector, tt.path, got)
		}
	}
	if (Selector{}).NeedsCompanion("a.py") {
		t.Error("no selector needs one")
	}
}

// TestCanceledAhead cancels the question that hangs: the one behind it is answered.
func TestCanceledAhead(t *testing.T) {
	ctx := fake(t, "hang", 200*time.Millisecond)
	s, _ := sessionOf(ctx)
	canceled, cancel := context.WithCancel(ctx)
	bad, good := pythonQuestion(canceled, "bad"), pythonQuestion(ctx, "good")
	together(t, s, bad, good)
	cancel()
	if a := <-good.answer; a.absent != nil || a.fault != nil {
		t.Errorf("got %+v", a)
	}
	if got, proof := ask(canceled, t, "good"); got != OverLimit {
		t.Errorf("got %d (%s)", got, proof)
	}
}

// TestCloseAnswers closes a session on a file that hangs, one behind it, and one
// that no lane has taken.
func TestCloseAnswers(t *testing.T) {
	ctx := fake(t, "hang", time.Minute)
	s, _ := sessionOf(ctx)
	questions := []*question{pythonQuestion(ctx, "bad"), pythonQuestion(ctx, "good"), pythonQuestion(ctx, strings.Repeat(" ", symbols.AheadBytes))}
	together(t, s, questions...)
	for taken := false; !taken; time.Sleep(time.Millisecond) {
		s.mu.Lock()
		taken = len(s.queue) == 1
		s.mu.Unlock()
	}
	s.Close()
	for i, q := range questions {
		if a := <-q.answer; !errors.Is(a.absent, errClosed) {
			t.Errorf("file %d: got %+v", i, a)
		}
	}
}

// TestAside waits aside for a small file and not for a large one.
func TestAside(t *testing.T) {
	for size, want := range map[int]int{symbols.AheadBytes: 1, symbols.AheadBytes + 1: 0} {
		asides := 0
		ctx := WithAside(fake(t, "good", time.Second), func(wait func()) {
			asides++
			wait()
		})
		if got, proof := ask(ctx, t, strings.Repeat(" ", size)); got != 0 || asides != want {
			t.Errorf("%d bytes: got %d (%s), %d times aside", size, got, proof, asides)
		}
	}
}

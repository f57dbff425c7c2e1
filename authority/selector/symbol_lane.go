package selector

import (
	"context"
	"slices"

	"ctxptr/authority/selector/symbols"
)

// question is one file for a companion.
type question struct {
	ctx      context.Context // of who asks; nobody waits for the answer once it is over
	language string          // empty: what the companion's languages are is asked
	size     int             // bytes of source
	frame    []byte          // the request
	answer   chan answer     // has room for it
}

// weight is what a question takes of what may be asked ahead: parsing the smallest
// of files takes as long as some bytes of a larger one.
func (q *question) weight() int { return q.size + symbols.FileBytes }

// answer is what comes of a question: a reply and the companion's languages, or
// what was wrong.
type answer struct {
	reply     symbols.Reply
	languages []string
	absent    error // no companion could be started
	fault     error // the companion ended because of the file
}

// lane is one companion at a time and the questions it has: when it ends, a new
// one is asked what is not answered yet.
type lane struct {
	session *Session
	running *companion  // nil before the first question and after an end
	tried   bool        // running has answered something
	asked   []*question // in order
	sent    int         // how many of them running was sent
}

// run answers questions until the session is closed.
func (l *lane) run() {
	for l.take() {
		switch {
		case l.running == nil:
			l.start()
		case l.send():
			l.receive()
		}
	}
	if l.running != nil {
		l.running.end()
	}
	for _, q := range l.asked {
		l.session.reply(q, answer{absent: errClosed})
	}
}

// take waits until there is a question, and takes as many as may be asked ahead.
// It returns false when the session is closed.
func (l *lane) take() bool {
	s := l.session
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(l.asked) == 0 && len(s.queue) == 0 && !s.closed {
		s.arrived.Wait()
	}
	weight := 0
	for _, q := range l.asked {
		weight += q.weight()
	}
	for len(s.queue) > 0 {
		q := s.queue[0]
		weight += q.weight()
		if len(l.asked) > 0 && weight > symbols.AheadBytes {
			break
		}
		s.queue[0] = nil
		l.asked, s.queue = append(l.asked, q), s.queue[1:]
	}
	return !s.closed
}

// start starts a companion, or says why there is none.
func (l *lane) start() {
	c, err := l.session.start()
	if err != nil {
		for _, q := range l.asked {
			l.session.reply(q, answer{absent: err})
		}
		l.asked = nil
		return
	}
	l.running, l.tried, l.sent = c, false, 0
	l.session.learn(c.languages)
}

// send sends what is not sent yet, and answers what needs no companion. It
// returns false when that was everything.
func (l *lane) send() bool {
	var frames []byte
	open := l.asked[:l.sent]
	for _, q := range l.asked[l.sent:] {
		switch {
		case q.ctx.Err() != nil: // nobody waits
			l.session.reply(q, answer{absent: q.ctx.Err()})
		case q.language == "":
			l.session.reply(q, answer{languages: l.running.languages})
		case !slices.Contains(l.running.languages, q.language):
			l.session.reply(q, answer{reply: symbols.Reply{Status: symbols.NoLanguage}})
		default:
			open = append(open, q)
			frames = joined(frames, q.frame)
		}
	}
	clear(l.asked[len(open):])
	l.asked, l.sent = open, len(open)
	if len(open) == 0 {
		return false
	}
	l.running.allow(patience * l.session.options.Deadline)
	if frames != nil {
		l.running.send(frames)
	}
	return true
}

// joined appends a frame to others, without a copy where there are none.
func joined(frames, frame []byte) []byte {
	if frames == nil {
		return frame
	}
	return append(frames, frame...)
}

// receive reads the reply to the first question, whose time began when the one
// before it was answered.
func (l *lane) receive() {
	first := l.asked[0]
	reply, err := l.running.receive(first.size)
	if l.session.ctx.Err() != nil {
		return
	}
	// A companion that had other files before may have ended of something else
	// than this one: then it is the first that a new one is asked.
	guilty := err == errDeadline || err == errMemory || !l.tried
	if err == nil || guilty {
		l.session.reply(first, answer{reply: reply, fault: err})
		l.asked[0] = nil
		l.asked, l.sent = l.asked[1:], l.sent-1
	}
	l.tried = true
	if err != nil || !l.running.rest() {
		l.running.end()
		l.running = nil
	}
}

package selector

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os/exec"
	"strconv"
	"sync/atomic"
	"time"

	"ctxptr/authority/selector/symbols"
)

// What can be wrong with a companion.
var (
	errClosed   = errors.New("the session is closed")
	errVersion  = errors.New("the companion speaks another protocol")
	errDeadline = errors.New("the companion took too long")
	errMemory   = errors.New("the companion took too much memory")
)

// patience is how many times the deadline of a file, which is processor time
// and at which the companion ends by itself, goes by before it is killed.
const patience = 5

// startTime is what a companion may take to say hello.
const startTime = 5 * time.Second

// companion is one running companion process, used by one goroutine at a time.
type companion struct {
	cmd       *exec.Cmd
	in        io.WriteCloser
	pipe      io.Closer // below out
	out       *bufio.Reader
	languages []string
	fresh     bool // it has not answered anything yet
	killed    bool // a timer got to it, if only after the last answer
}

// startCompanion runs the program at path and reads its hello. It gets no
// environment but what keeps a crash short.
func startCompanion(ctx context.Context, path string, o SessionOptions) (*companion, error) {
	cmd := exec.Command(path, strconv.FormatInt(o.Deadline.Milliseconds(), 10), strconv.FormatInt(o.Memory, 10))
	cmd.Env = []string{"GOTRACEBACK=none", "GOMAXPROCS=1"}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &companion{cmd: cmd, in: in, pipe: out, out: bufio.NewReaderSize(out, 64<<10), fresh: true}
	var hello symbols.Hello
	err = c.within(ctx, startTime, func() error {
		payload, err := symbols.ReadFrame(c.out, 1<<12)
		if err == nil {
			hello, err = symbols.DecodeHello(payload)
		}
		return err
	})
	if err == nil && hello.Protocol == symbols.Protocol {
		c.languages = hello.Languages
		return c, nil
	}
	c.end()
	if err == nil || err == symbols.ErrFrame {
		err = errVersion
	}
	return nil, err
}

// ask sends one request and reads its reply. After an error the companion is of
// no further use.
func (c *companion) ask(ctx context.Context, deadline time.Duration, r symbols.Request) (symbols.Reply, error) {
	var reply symbols.Reply
	err := c.within(ctx, patience*deadline, func() error {
		if err := symbols.WriteFrame(c.in, r.Encode()); err != nil {
			return err
		}
		payload, err := symbols.ReadFrame(c.out, symbols.MaxReply)
		if err != nil {
			return err
		}
		reply, err = symbols.DecodeReply(payload, len(r.Source))
		return err
	})
	c.fresh = false
	if err == nil || err == errDeadline {
		return reply, err
	}
	return reply, c.causeOfDeath(err)
}

// within runs talk, and kills the companion when that takes longer than limit
// or ctx ends, which also ends talk.
func (c *companion) within(ctx context.Context, limit time.Duration, talk func() error) error {
	var late atomic.Bool
	timer := time.AfterFunc(limit, func() {
		late.Store(true)
		c.kill()
	})
	stop := context.AfterFunc(ctx, c.kill)
	err := talk()
	inTime, inContext := timer.Stop(), stop()
	c.killed = c.killed || !inTime || !inContext
	if err != nil && late.Load() {
		return errDeadline
	}
	return err
}

// causeOfDeath waits for a companion that broke off and reads its exit code.
func (c *companion) causeOfDeath(err error) error {
	c.end()
	switch c.cmd.ProcessState.ExitCode() {
	case symbols.ExitMemory:
		return errMemory
	case symbols.ExitDeadline:
		return errDeadline
	}
	return err
}

// kill ends the companion, and the reading of what it says: a child of its own may
// hold the pipe for longer.
func (c *companion) kill() {
	_ = c.cmd.Process.Kill() // it may have ended already
	_ = c.pipe.Close()
}

// end kills the companion and waits for it. It may be called again.
func (c *companion) end() {
	if c.cmd.ProcessState != nil {
		return
	}
	_ = c.in.Close()
	c.kill()
	_ = c.cmd.Wait() // its exit code is in ProcessState
}

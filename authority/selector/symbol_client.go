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

// companion is one running companion process, used by one goroutine.
type companion struct {
	cmd       *exec.Cmd
	in        io.WriteCloser
	pipe      io.Closer // below out
	out       *bufio.Reader
	languages []string
	timer     *time.Timer // kills it
	late      atomic.Bool // the timer did
	stop      func() bool // ends waiting for the end of the session
}

// startCompanion runs the program at path and reads its hello; it is killed when
// ctx ends. It gets no environment but what keeps a crash short.
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
	c := &companion{cmd: cmd, in: in, pipe: out, out: bufio.NewReaderSize(out, 64<<10)}
	c.timer = time.AfterFunc(startTime, func() {
		c.late.Store(true)
		c.kill()
	})
	c.stop = context.AfterFunc(ctx, c.kill)
	var hello symbols.Hello
	payload, err := symbols.ReadFrame(c.out, 1<<12)
	if err == nil {
		hello, err = symbols.DecodeHello(payload)
	}
	if err == nil && hello.Protocol == symbols.Protocol && c.timer.Stop() {
		c.languages = hello.Languages
		return c, nil
	}
	c.end()
	if err == nil || err == symbols.ErrFrame {
		err = errVersion
	}
	return nil, err
}

// allow sets when the companion is killed unless what follows is over.
func (c *companion) allow(limit time.Duration) { c.timer.Reset(limit) }

// send writes requests. What goes wrong shows when their replies are read: those
// to earlier requests may still be there.
func (c *companion) send(frames []byte) { _, _ = c.in.Write(frames) }

// receive reads the reply to a request for a source of size bytes, which must
// come before the companion is killed. After an error the companion is of no
// further use and has ended.
func (c *companion) receive(size int) (symbols.Reply, error) {
	payload, err := symbols.ReadFrame(c.out, symbols.MaxReply)
	var reply symbols.Reply
	if err == nil {
		reply, err = symbols.DecodeReply(payload, size)
	}
	if err != nil {
		err = c.causeOfDeath(err)
	}
	return reply, err
}

// rest stops the timer, and reports whether it did in time.
func (c *companion) rest() bool { return c.timer.Stop() }

// causeOfDeath waits for a companion that broke off and reads its exit code.
func (c *companion) causeOfDeath(err error) error {
	c.end()
	switch code := c.cmd.ProcessState.ExitCode(); {
	case c.late.Load(), code == symbols.ExitDeadline:
		return errDeadline
	case code == symbols.ExitMemory:
		return errMemory
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
	c.timer.Stop()
	c.stop()
	_ = c.in.Close()
	c.kill()
	_ = c.cmd.Wait() // its exit code is in ProcessState
}

package gitref

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// gitObjects reads objects through one git cat-file process for the life of a
// Repo. Every object that is read has its id recomputed.
type gitObjects struct {
	git *gitBinary
	// promisor says that an object which is not here may be elsewhere.
	promisor bool
	hashSize int

	mu    sync.Mutex
	batch *catFile
	plain bool // git is too old for --batch-command (before 2.36)
}

// catFile is a running git cat-file.
type catFile struct {
	cmd    *exec.Cmd
	cancel context.CancelFunc
	in     io.WriteCloser
	out    *bufio.Reader
}

func newGitObjects(r *Repo) *gitObjects {
	return &gitObjects{git: r.binary(), promisor: r.format.promisor, hashSize: r.format.hashSize}
}

func (o *gitObjects) start() error {
	if o.batch != nil {
		return nil
	}
	mode := "--batch-command"
	if o.plain {
		mode = "--batch"
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := o.git.command(ctx, o.git.dir, gitCatFile, mode)
	in, err := cmd.StdinPipe()
	if err != nil {
		cancel()
		return notRunnable(gitCatFile, err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return notRunnable(gitCatFile, err)
	}
	o.batch = &catFile{cmd: cmd, cancel: cancel, in: in, out: bufio.NewReader(out)}
	return nil
}

func (o *gitObjects) stop() {
	if o.batch == nil {
		return
	}
	o.batch.cancel()
	_ = o.batch.in.Close()
	_ = o.batch.cmd.Wait()
	o.batch = nil
}

func (o *gitObjects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stop()
	return nil
}

func (o *gitObjects) stat(id OID) (ObjectType, int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t, size, _, err := o.ask(id, -1)
	return t, size, err
}

func (o *gitObjects) read(id OID, limit int64) (Object, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.plain {
		_, size, _, err := o.ask(id, -1)
		if err != nil {
			return Object{}, err
		}
		if size > limit {
			return Object{}, overLimit(id)
		}
	}
	t, _, data, err := o.ask(id, limit)
	if err != nil {
		return Object{}, err
	}
	if objectID(t, data, o.hashSize) != id {
		return Object{}, &Error{Fault: Corrupt, Subject: id.String(), Proof: "the object's content does not have its id"}
	}
	return Object{OID: id, Type: t, Data: data}, nil
}

func overLimit(id OID) *Error {
	return &Error{Fault: OverLimit, Subject: id.String(), Proof: "the object is larger than the bound on what may be read"}
}

// ask puts one question within the time limit: the header when limit is
// negative, else the body of at most limit bytes as well. After any failure the
// process is ended, since its output may be out of step.
func (o *gitObjects) ask(id OID, limit int64) (ObjectType, int64, []byte, error) {
	if int(id.size) != o.hashSize {
		return "", 0, nil, &Error{Fault: NoObject, Subject: id.String(), Proof: "no object of this repository has an id of this length"}
	}
	for {
		if err := o.start(); err != nil {
			return "", 0, nil, err
		}
		late := time.AfterFunc(o.git.timeout, o.batch.cancel)
		t, size, data, err := o.exchange(id, limit)
		inTime := late.Stop()
		if err == nil {
			return t, size, data, nil
		}
		if e, ok := errors.AsType[*Error](err); ok {
			if e.Fault == OverLimit {
				o.stop()
			}
			return "", 0, nil, e
		}
		tooOld := o.tooOld()
		switch {
		case !inTime:
			return "", 0, nil, &Error{Fault: OverLimit, Subject: id.String(), Proof: "git did not answer within the time limit"}
		case tooOld && !o.plain:
			o.plain = true
		case o.promisor:
			return "", 0, nil, &Error{Fault: NotLocal, Subject: id.String(), Proof: "a promisor remote holds the object, this repository does not", Err: err}
		default:
			return "", 0, nil, &Error{Fault: Corrupt, Subject: id.String(), Proof: "git cannot read the object", Err: err}
		}
	}
}

// tooOld ends the process and reports whether it had refused its arguments.
func (o *gitObjects) tooOld() bool {
	const usage = 129
	_ = o.batch.in.Close()
	_ = o.batch.cmd.Wait()
	code := o.batch.cmd.ProcessState.ExitCode()
	o.batch.cancel()
	o.batch = nil
	return code == usage
}

func (o *gitObjects) exchange(id OID, limit int64) (ObjectType, int64, []byte, error) {
	question := id.String() + "\n"
	if !o.plain {
		verb := "info "
		if limit >= 0 {
			verb = "contents "
		}
		question = verb + question
	}
	if _, err := io.WriteString(o.batch.in, question); err != nil {
		return "", 0, nil, err
	}
	line, err := o.batch.out.ReadString('\n')
	if err != nil {
		return "", 0, nil, err
	}
	t, size, err := o.header(id, line)
	if err != nil || limit < 0 && !o.plain {
		return t, size, nil, err
	}
	data, err := o.body(id, size, limit)
	return t, size, data, err
}

// header parses "<id> <type> <size>" or "<id> missing".
func (o *gitObjects) header(id OID, line string) (ObjectType, int64, error) {
	f := strings.Fields(line)
	switch {
	case len(f) == 2 && f[1] == "missing":
		return "", 0, o.missing(id)
	case len(f) != 3 || f[0] != id.String():
		return "", 0, io.ErrUnexpectedEOF
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil || size < 0 {
		return "", 0, io.ErrUnexpectedEOF
	}
	t := ObjectType(f[1])
	if !slices.Contains([]ObjectType{CommitObject, TreeObject, BlobObject, TagObject}, t) {
		return "", 0, io.ErrUnexpectedEOF
	}
	return t, size, nil
}

// missing says why git calls an object missing: it does so too when it failed to
// read a part of the store, which a run of its own shows by error messages.
func (o *gitObjects) missing(id OID) *Error {
	switch {
	case o.git.complains(gitCatFile, "-t", id.String()):
		return &Error{Fault: Corrupt, Subject: id.String(), Proof: "git cannot read the object store whole, so nothing proves what it holds"}
	case o.promisor:
		return &Error{Fault: NotLocal, Subject: id.String(), Proof: "a promisor remote holds the object, this repository does not"}
	}
	return &Error{Fault: NoObject, Subject: id.String(), Proof: "no object of this id is in the repository"}
}

// body reads a body and the newline behind it, or passes over it when only the
// header was asked for.
func (o *gitObjects) body(id OID, size, limit int64) ([]byte, error) {
	if limit < 0 {
		_, err := io.CopyN(io.Discard, o.batch.out, size+1)
		return nil, err
	}
	if size > limit {
		return nil, overLimit(id)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(o.batch.out, data); err != nil {
		return nil, err
	}
	return data[:size:size], nil
}

// expand lists the objects an abbreviated id may stand for.
func (o *gitObjects) expand(prefix string) ([]OID, error) {
	out, err := o.git.run(context.Background(), o.git.dir, maxListOutput, gitRevParse, "--disambiguate="+prefix)
	if err != nil {
		return nil, &Error{Fault: Corrupt, Subject: prefix, Proof: "git cannot list the objects of this abbreviation", Err: err}
	}
	var ids []OID
	for line := range strings.Lines(string(out)) {
		id, err := ParseOID(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, &Error{Fault: Corrupt, Subject: prefix, Proof: "git gave an answer that is no object id", Err: err}
		}
		ids = append(ids, id)
	}
	sortOIDs(ids)
	return ids, nil
}

func sortOIDs(ids []OID) { slices.SortFunc(ids, compareOID) }

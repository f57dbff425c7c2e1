package gitref

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Whole proves that a tree, every tree below it and every blob of theirs are in
// the repository and have their ids, and returns how many objects those are. The
// commits of submodules are other repositories' and not looked for. Of several
// that are at fault the error is of the first, in the order of the trees. Errors
// are those of Read; a blob of more than limit bytes is OverLimit.
func (r *Repo) Whole(ctx context.Context, tree OID, limit int64) (objects int, err error) {
	c := &wholeness{repo: r, ctx: ctx, seen: map[OID]struct{}{}}
	if err := c.trees(tree); err != nil {
		return 0, err
	}
	if err := c.readBlobs(limit); err != nil {
		return 0, err
	}
	return len(c.seen), nil
}

// wholeness gathers what a tree is made of.
type wholeness struct {
	repo  *Repo
	ctx   context.Context
	seen  map[OID]struct{}
	blobs []OID
}

// trees reads the tree and all below it, each once, and lists their blobs. It
// keeps what is left to do in a list, since trees may nest without bound.
func (c *wholeness) trees(root OID) error {
	c.add(root)
	for todo := []OID{root}; len(todo) > 0; {
		if err := alive(c.ctx); err != nil {
			return err
		}
		tree := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		obj, err := c.repo.readAs(tree, TreeObject)
		if err != nil {
			return asCorrupt(err)
		}
		err = eachTreeEntry(obj.Data, int(tree.size), func(_ []byte, e Entry) bool {
			switch {
			case e.Mode == ModeGitlink || !c.add(e.OID):
			case e.Mode == ModeTree:
				todo = append(todo, e.OID)
			default:
				c.blobs = append(c.blobs, e.OID)
			}
			return true
		})
		if err != nil {
			return malformed(tree, TreeObject, err)
		}
	}
	return nil
}

// add notes an object and reports whether it is new.
func (c *wholeness) add(id OID) bool {
	_, known := c.seen[id]
	c.seen[id] = struct{}{}
	return !known
}

// asCorrupt makes an object of another type than a tree says a contradiction.
func asCorrupt(err error) error {
	if faultIn(err) != WrongType {
		return err
	}
	return &Error{Fault: Corrupt, Proof: "a tree names an object as what it is not: " + err.Error(), Err: err}
}

// readBlobs reads the blobs side by side. The first in their order that is at
// fault decides, so that the answer is the same in every run.
func (c *wholeness) readBlobs(limit int64) error {
	var (
		next  atomic.Int64
		mu    sync.Mutex
		wait  sync.WaitGroup
		first = len(c.blobs)
		fault error
	)
	take := func() (int, bool) {
		i := int(next.Add(1) - 1)
		mu.Lock()
		defer mu.Unlock()
		return i, i < first
	}
	for range min(runtime.GOMAXPROCS(0), len(c.blobs)) {
		wait.Go(func() {
			for i, more := take(); more; i, more = take() {
				if err := c.readBlob(c.blobs[i], limit); err != nil {
					mu.Lock()
					if i < first {
						first, fault = i, err
					}
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	return fault
}

func (c *wholeness) readBlob(id OID, limit int64) error {
	if err := alive(c.ctx); err != nil {
		return err
	}
	obj, err := c.repo.objects.read(id, limit)
	if err == nil && obj.Type != BlobObject {
		err = wrongType(id, obj.Type, BlobObject)
	}
	return asCorrupt(err)
}

package gitref

import (
	"slices"
	"strings"
	"sync"
)

// walkNode is what was found in one folder.
type walkNode struct {
	name   string // its own, "" for the top
	prefix string // its path with a slash behind it, "" for the top
	files  []WorkFile
	mixed  bool // files hold deeper paths, out of order
	subs   []*walkNode
	link   *WorkFile // the folder is a nested repository
	err    error

	mu     sync.Mutex
	failed map[*WorkFile]error // what visitors say, nil for none
}

func (n *walkNode) fail(f *WorkFile, err error) {
	if err == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.failed == nil {
		n.failed = map[*WorkFile]error{}
	}
	n.failed[f] = err
}

// walkItem is a file or a sub-folder.
type walkItem struct {
	name string
	file *WorkFile
	sub  *walkNode
}

// compareItems orders names as their paths: a folder's goes on with a slash.
func compareItems(a, b walkItem) int {
	n := min(len(a.name), len(b.name))
	if c := strings.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return a.at(n) - b.at(n)
}

// at is the byte of the path at n, -1 behind its end.
func (i walkItem) at(n int) int {
	switch {
	case n < len(i.name):
		return int(i.name[n])
	case i.sub != nil && i.sub.link == nil:
		return '/'
	}
	return -1
}

// items returns what is in the folder in the order of paths.
func (n *walkNode) items() []walkItem {
	items := make([]walkItem, 0, len(n.files)+len(n.subs))
	for i := range n.files {
		items = append(items, walkItem{name: n.files[i].Path[len(n.prefix):], file: &n.files[i]})
	}
	for _, sub := range n.subs {
		items = append(items, walkItem{name: sub.name, sub: sub})
	}
	if !slices.IsSortedFunc(items, compareItems) {
		slices.SortFunc(items, compareItems)
	}
	return items
}

// each yields the files in the order of paths, false when it was ended.
func (n *walkNode) each(yield func(*WorkFile) bool) bool {
	if n.link != nil {
		return yield(n.link)
	}
	if len(n.subs) == 0 && !n.mixed {
		for i := range n.files {
			if !yield(&n.files[i]) {
				return false
			}
		}
		return true
	}
	for _, item := range n.items() {
		if item.file != nil && !yield(item.file) || item.sub != nil && !item.sub.each(yield) {
			return false
		}
	}
	return true
}

// firstError returns the error that comes first by path, that of a folder before
// those of what stands in it.
func (n *walkNode) firstError() error {
	if n.err != nil {
		return n.err
	}
	if n.link != nil {
		return n.failed[n.link]
	}
	if len(n.failed) == 0 && len(n.subs) == 0 {
		return nil
	}
	for _, item := range n.items() {
		err := n.failed[item.file]
		if item.sub != nil {
			err = item.sub.firstError()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

package gitref

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"sort"
	"strings"
)

// packedRefs is one packed-refs file (gitrepository-layout(5)): lines "id name"
// and, behind an annotated tag, "^peeled-id". A file whose header says that it
// is sorted is searched in place through its open descriptor, so that one ref
// costs the same whatever the file's size and a replaced file changes nothing;
// any other is read whole and sorted.
type packedRefs struct {
	file     io.ReaderAt
	pages    pagedFile // the same, for a search
	size     int64
	stat     fs.FileInfo // of the open file, nil when there is none
	hashSize int
	first    int64 // offset of the first line behind the header
	lines    []packedLine
	sorted   bool
}

type packedLine struct {
	name string
	oid  OID
}

const (
	maxPackedRefs = 1 << 30
	maxPackedLine = 8 << 10 // an id and a name as long as a path can be
)

func openPackedRefs(path string, hashSize int) (*packedRefs, error) {
	f, st, err := openRegular(path)
	if absent(err) {
		return &packedRefs{}, nil
	}
	if err != nil {
		return nil, fileError(err, "packed-refs")
	}
	p, err := newPackedRefs(f, st.Size(), hashSize)
	if err != nil {
		f.Close()
		return nil, err
	}
	p.stat = st
	return p, nil
}

func newPackedRefs(file io.ReaderAt, size int64, hashSize int) (*packedRefs, error) {
	p := &packedRefs{file: file, pages: pagedFile{file: file}, size: size, hashSize: hashSize}
	return p, p.readHeader()
}

func (p *packedRefs) close() {
	if c, ok := p.file.(io.Closer); ok {
		c.Close()
	}
}

// replaced reports whether path no longer names the file that was opened.
func (p *packedRefs) replaced(path string) bool {
	st, err := os.Stat(path)
	if err != nil {
		return p.stat != nil || !absent(err)
	}
	return p.stat == nil || !os.SameFile(st, p.stat) || st.Size() != p.stat.Size() || !st.ModTime().Equal(p.stat.ModTime())
}

func badPackedRefs(proof string) *Error {
	return &Error{Fault: Corrupt, Subject: "packed-refs", Proof: proof}
}

func (p *packedRefs) readHeader() error {
	if p.size == 0 {
		return nil
	}
	var last [1]byte
	if n, err := p.file.ReadAt(last[:], p.size-1); n == 0 {
		return fileError(err, "packed-refs")
	}
	if last[0] != '\n' {
		return badPackedRefs("its last line has no end")
	}
	line, err := p.lineAt(0)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(line, []byte("#")) {
		traits, ok := bytes.CutPrefix(line, []byte("# pack-refs with:"))
		if !ok {
			return badPackedRefs("its header is none that git writes")
		}
		p.first = int64(len(line)) + 1
		p.sorted = bytes.Contains(append(traits, ' '), []byte(" sorted "))
	}
	if !p.sorted {
		return p.readAll()
	}
	return nil
}

// lineAt returns the line that starts at an offset, without its end. It is shared
// with what is kept of the file.
func (p *packedRefs) lineAt(at int64) ([]byte, error) {
	for size := int64(256); ; size *= 4 {
		piece, err := p.piece(at, min(size, p.size-at))
		if err != nil {
			return nil, err
		}
		if i := bytes.IndexByte(piece, '\n'); i >= 0 {
			return piece[:i:i], nil
		}
		if size >= maxPackedLine || at+size >= p.size {
			return nil, badPackedRefs("it has a line that is longer than a ref can be")
		}
	}
}

// piece returns the n bytes at an offset, which the file had when it was opened.
func (p *packedRefs) piece(at, n int64) ([]byte, error) {
	piece, err := p.pages.piece(at, n)
	if err == nil && int64(len(piece)) < n {
		err = io.EOF
	}
	if err != nil {
		return nil, fileError(err, "packed-refs")
	}
	return piece, nil
}

// readAll takes the whole file in, for a file that is not declared sorted. git
// keeps the last of several lines for one ref.
func (p *packedRefs) readAll() error {
	if p.size > maxPackedRefs {
		return fileError(errTooLong, "packed-refs")
	}
	data := make([]byte, p.size)
	if n, err := p.file.ReadAt(data, 0); n < len(data) {
		return fileError(err, "packed-refs")
	}
	for line := range bytes.Lines(data[min(p.first, int64(len(data))):]) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) > 0 && line[0] == '^' {
			if _, ok := leadingOID(string(line[1:]), p.hashSize); !ok || len(p.lines) == 0 {
				return badPackedRefs("it has a peeled id that belongs to no ref")
			}
			continue
		}
		l, err := p.parseLine(line)
		if err != nil {
			return err
		}
		p.lines = append(p.lines, l)
	}
	sort.SliceStable(p.lines, func(i, j int) bool { return p.lines[i].name < p.lines[j].name })
	return nil
}

func (p *packedRefs) parseLine(line []byte) (packedLine, error) {
	n := 2 * p.hashSize
	if len(line) < n+2 || line[n] != ' ' {
		return packedLine{}, badPackedRefs("it has a line that is no ref")
	}
	id, err := ParseOID(strings.ToLower(string(line[:n])))
	if err != nil {
		return packedLine{}, badPackedRefs("it has a line that is no ref")
	}
	return packedLine{name: string(line[n+1:]), oid: id}, nil
}

// find looks a ref up by full name.
func (p *packedRefs) find(name string) (OID, bool, error) {
	l, found, err := p.atOrAfter(name)
	if err != nil || !found || l.name != name {
		return OID{}, false, err
	}
	if l.oid.IsZero() {
		return OID{}, false, brokenRef(name, "packed-refs gives it the null object id")
	}
	return l.oid, true, nil
}

// hasPrefix reports whether the name of any ref begins so.
func (p *packedRefs) hasPrefix(prefix string) (bool, error) {
	l, found, err := p.atOrAfter(prefix)
	return found && strings.HasPrefix(l.name, prefix), err
}

// atOrAfter returns the ref of that name, or else the first one behind it.
func (p *packedRefs) atOrAfter(name string) (packedLine, bool, error) {
	if p.sorted {
		return p.search(name)
	}
	i := sort.Search(len(p.lines), func(i int) bool { return p.lines[i].name >= name })
	if i == len(p.lines) {
		return packedLine{}, false, nil
	}
	return p.lines[i], true, nil
}

// search bisects the sorted file. Every line it meets must lie between those it
// has already met, so that a file out of order is refused where it would mislead.
func (p *packedRefs) search(name string) (after packedLine, found bool, err error) {
	lo, hi := p.first, p.size
	before := ""
	for lo < hi {
		l, start, next, err := p.refAround(lo, hi)
		if err != nil {
			return packedLine{}, false, err
		}
		if before != "" && l.name <= before || found && l.name >= after.name {
			return packedLine{}, false, badPackedRefs("it says that it is sorted and is not")
		}
		switch strings.Compare(l.name, name) {
		case 0:
			return l, true, nil
		case -1:
			lo, before = next, l.name
		default:
			hi, after, found = start, l, true
		}
	}
	return after, found, nil
}

// refAround reads a ref line near the middle of [lo, hi), both of which are
// starts of ref lines (or the end), and returns where it starts and where the
// next ref starts.
func (p *packedRefs) refAround(lo, hi int64) (l packedLine, start, next int64, err error) {
	start, err = p.lineStart(lo, lo+(hi-lo)/2)
	if err != nil {
		return l, 0, 0, err
	}
	line, err := p.lineAt(start)
	if err != nil {
		return l, 0, 0, err
	}
	if len(line) > 0 && line[0] == '^' {
		if start == lo {
			return l, 0, 0, badPackedRefs("it has a peeled id that belongs to no ref")
		}
		if start, err = p.lineStart(lo, start-1); err != nil {
			return l, 0, 0, err
		}
		if line, err = p.lineAt(start); err != nil {
			return l, 0, 0, err
		}
	}
	if l, err = p.parseLine(line); err != nil {
		return l, 0, 0, err
	}
	next = start + int64(len(line)) + 1
	if next < hi {
		peeled, err := p.lineAt(next)
		if err != nil {
			return l, 0, 0, err
		}
		if len(peeled) > 0 && peeled[0] == '^' {
			next += int64(len(peeled)) + 1
		}
	}
	return l, start, next, nil
}

// lineStart is the start of the line that the byte at an offset belongs to, not
// before lo.
func (p *packedRefs) lineStart(lo, at int64) (int64, error) {
	for step := int64(256); ; step *= 4 {
		from := max(lo, at-step)
		piece, err := p.piece(from, at-from)
		if err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(piece, '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		if from == lo {
			return lo, nil
		}
		if step > maxPackedLine {
			return 0, badPackedRefs("it has a line that is longer than a ref can be")
		}
	}
}

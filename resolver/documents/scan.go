package documents

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"ctxptr/authority"
	"ctxptr/gitref"
	"ctxptr/resolver"
	"ctxptr/resolver/pins"
	"ctxptr/resolver/reference"
)

// Scope says which documents are looked at.
type Scope struct {
	Paths   []string             // files and folders, relative to the root; none for everything
	Given   []authority.Document // documents that stand in no file, looked at as they are
	Exclude []string             // patterns of gitignore(5), from the root
	Plain   bool                 // plain references are collected also where no pin needs them
	Moved   []Move               // where documents stand now that pins name at another place
	Looked  func()               // called after each document; may be nil

	followed bool // pins stand at the documents that are theirs now
	ordering bool // pins files of which nothing but the order is wrong are put right
}

// Unplaced is the path of a given document that stands for no file.
const Unplaced = "-"

// Entry is one pointer, pin or plain reference where it stands.
type Entry struct {
	Form     string         // FormPointer, FormPin, or the form of a plain reference
	At       resolver.Place // where the pointer, or a pin's reference, stands
	Text     string         // the pointer, or the reference verbatim
	From, To int            // bytes of Text in File

	Document string           // that refers
	File     string           // in which Text stands: the document, or the pins file
	Plain    resolver.Plain   // the reference, zero for a pointer and for a pin without one
	Target   resolver.Pointer // of a pin
	Orphan   string           // why a pin has no reference, "" when it has one
	Was      string           // the document that a pin's line names, where Scope.Moved says that it is another now; else ""
	Others   []resolver.Place // where further references stand that a pin belongs to
}

// The forms of entries that are no plain references.
const (
	FormPointer = string(reference.Pointer)
	FormPin     = "pin"
)

// pointer is what a pointer or pin states, zero for a plain reference and for a
// pointer that does not parse.
func (e Entry) pointer() resolver.Pointer {
	if e.Form != FormPointer {
		return e.Target
	}
	p, _ := resolver.ParseInText(e.Text) // zero with an error
	return p
}

// Broken is something that could not be read as a document or as a pin.
type Broken struct {
	At    resolver.Place
	Text  string // the path, or the line of a pins file
	Fault *authority.Fault
}

// brokenFile is a whole file that could not be read.
func brokenFile(p string, f *authority.Fault) Broken {
	return Broken{resolver.Place{Path: p, Line: 1, Column: 1}, p, f}
}

// Scan is what stands in the documents of a scope, in the order of their paths and
// places.
type Scan struct {
	Entries []Entry
	Broken  []Broken
	Files   int // documents that were read
	Sparse  int // tracked files that sparse-checkout leaves out, which were not
	digests map[string]authority.Identity
	scanner *scanner // that found it

	unordered []string // pins files to put in order
}

// ScanDocuments collects what stands in the documents of a scope. The error is a
// *authority.Fault.
func ScanDocuments(ctx context.Context, w *authority.Workspace, scope Scope) (*Scan, error) {
	s := &scanner{
		ctx: ctx, workspace: w, scope: scope, exclude: gitref.NewExclusion(scope.Exclude),
		out:  &Scan{digests: map[string]authority.Identity{}},
		seen: map[string]bool{}, named: map[string]bool{}, pinned: map[string]*pins.File{}, sealed: map[string]bool{},
		plain: map[string][]reference.Reference{}, senses: map[string]map[resolver.Sense][]int{},
		arrivals: map[string]map[string][]pins.Pin{},
	}
	if err := s.collect(); err != nil {
		return nil, err
	}
	s.readPins()
	s.sort()
	s.out.scanner = s
	return s.out, nil
}

// scanner is one scan under way.
type scanner struct {
	ctx       context.Context
	workspace *authority.Workspace
	scope     Scope
	exclude   gitref.Exclusion

	mu     sync.Mutex
	out    *Scan
	seen   map[string]bool                     // documents that are looked at
	named  map[string]bool                     // those that the scope names, which nothing leaves out
	pinned map[string]*pins.File               // every pins file that can govern one of them, nil where there is none or it cannot be read
	sealed map[string]bool                     // pins files that stand there and cannot be read
	plain  map[string][]reference.Reference    // the plain references of documents, where they are collected
	senses map[string]map[resolver.Sense][]int // the places of these, by what they can be about

	arrivals map[string]map[string][]pins.Pin // of pins files that were asked: their pins by the document that theirs is said to be now
}

// collect looks at every document of the scope.
func (s *scanner) collect() error {
	for _, d := range s.scope.Given {
		s.named[d.Path], s.plain[d.Path] = true, nil // pins are held against what is given, not what stands there
		found, err := reference.Find(d.Path, d.Data)
		d.Fault = cmp.Or(d.Fault, faultOf(err))
		s.keep(d, found)
	}
	if len(s.scope.Paths) == 0 && len(s.scope.Given) == 0 {
		return s.folder(".")
	}
	for _, p := range s.scope.Paths {
		if s.workspace.IsFolder(p) {
			if err := s.folder(p); err != nil {
				return err
			}
			continue
		}
		s.named[p] = true
		d := s.workspace.ReadDocument(s.ctx, p)
		found := s.find(&d)
		s.keep(d, found)
	}
	return nil
}

// folder looks at the documents of a folder that are not left out.
func (s *scanner) folder(p string) error {
	sparse, err := s.workspace.EachDocument(s.ctx, p, func(d authority.Document) {
		if s.exclude.Match(d.Path) {
			return
		}
		found := s.find(&d)
		if len(found) > 0 || d.Fault != nil || isPinsPath(d.Path) {
			unchecked, err := s.workspace.Unchecked(s.ctx, d.Path)
			if unchecked {
				return
			}
			if f := faultOf(err); f != nil {
				d.Fault = f
			}
		}
		s.keep(d, found)
	})
	s.out.Sparse += sparse
	return err
}

func isPinsPath(p string) bool { return path.Base(p) == pins.Name }

// find finds the references of a document that is no pins file. One that holds too
// many gets a fault.
func (s *scanner) find(d *authority.Document) []reference.Reference {
	switch {
	case d.Fault != nil || isPinsPath(d.Path):
		return nil
	case s.scope.Plain:
		found, err := reference.Find(d.Path, d.Data)
		d.Fault = faultOf(err)
		return found
	}
	return reference.Pointers(d.Data)
}

// keep keeps what stands in a document, once.
func (s *scanner) keep(d authority.Document, found []reference.Reference) {
	var digest authority.Identity // of what may be rewritten
	if isPinsPath(d.Path) || slices.ContainsFunc(found, func(r reference.Reference) bool { return r.Form == reference.Pointer }) {
		digest = authority.BLAKE3Sum(d.Data)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scope.Looked != nil {
		s.scope.Looked()
	}
	if s.seen[d.Path] {
		return
	}
	s.seen[d.Path] = true
	s.out.Files++
	if !digest.IsZero() {
		s.out.digests[d.Path] = digest
	}
	switch {
	case d.Fault != nil && isPinsPath(d.Path):
		s.seal(d)
	case d.Fault != nil:
		s.breaks(d)
	case isPinsPath(d.Path):
		s.keepPins(d)
	default:
		s.keepReferences(d, found)
	}
}

// breaks keeps a document that cannot be read.
func (s *scanner) breaks(d authority.Document) {
	s.out.Broken = append(s.out.Broken, brokenFile(d.Path, d.Fault))
}

// keepReferences keeps the references of a document.
func (s *scanner) keepReferences(d authority.Document, found []reference.Reference) {
	for _, r := range found {
		switch {
		case r.Form == reference.Pointer:
			s.out.Entries = append(s.out.Entries, entryAt(d.Path, r))
		case r.Skip == "":
			s.plain[d.Path] = append(s.plain[d.Path], r)
		}
	}
}

// entryAt is the entry of a reference, without what a plain one means.
func entryAt(document string, r reference.Reference) Entry {
	return Entry{
		Form: string(r.Form), Text: r.Text, From: r.From, To: r.To, Document: document, File: document,
		At: resolver.Place{Path: document, Line: r.Line, Column: r.Column},
	}
}

func (s *scanner) sort() {
	slices.SortStableFunc(s.out.Entries, compareEntries)
	slices.SortStableFunc(s.out.Broken, func(a, b Broken) int { return a.At.Compare(b.At) })
}

// compareEntries orders entries by their place, a pointer and a reference before
// the pins of it, and pins by their line.
func compareEntries(a, b Entry) int {
	return cmp.Or(a.At.Compare(b.At), strings.Compare(a.File, b.File), cmp.Compare(a.From, b.From))
}

// Package reference finds the references that stand in documents: canonical
// pointers, and every plain form in which people and tools write down where
// something is (links, path:line, permalinks, imports, commit ids). It reads
// bytes and nothing else: whether a target exists is for others to prove.
package reference

// Form is how a reference is written.
type Form string

// The forms.
const (
	Pointer      Form = "pointer"       // ctxptr:…, in canonical spelling or not
	Link         Form = "link"          // a Markdown link, image or link definition
	PathLine     Form = "path-line"     // path:12, path:12-34
	Continuation Form = "continuation"  // :781 or :66-70, about a path named before it
	PathFragment Form = "path-fragment" // path#L10-L20, path#name
	Permalink    Form = "permalink"     // https://host/owner/repo/blob/<40 hex>/path#L1-L9, tree/, commit/
	Import       Form = "import"        // @docs/x.md
	FileBlock    Form = "file-block"    // #[[file:docs/x.md]]
	Source       Form = "source"        // [Source: docs/x.md#Section]
	FrontMatter  Form = "front-matter"  // a key of the front matter whose value names a path or commit
	Commit       Form = "commit"        // a commit id in running text
	Range        Form = "range"         // BASE..HEAD, BASE...HEAD
)

// Skip is why something that looks like a reference is none that can be proven
// here; "" for a reference.
type Skip string

// The reasons.
const (
	Placeholder Skip = "placeholder" // {{TASK_ID}}, @path/to/…, [###-feature]
	Sample      Skip = "sample"      // it stands in a sample of code or of output
	Elsewhere   Skip = "elsewhere"   // a web address, a mail address, another repository's path, @~/…
)

// Base is the folder that a path is relative to.
type Base string

// The bases. Where a reader could mean either, both are tried and must not
// differ.
const (
	FromDocument Base = "document" // the referring document's folder
	FromRoot     Base = "root"
	FromEither   Base = "either"
)

// Reference is one reference where it stands.
type Reference struct {
	Form     Form
	Skip     Skip
	Text     string // verbatim, the part of the document from From to To
	From, To int    // bytes
	Line     int    // from 1
	Column   int    // in bytes, from 1
	Target   Target // zero for a Pointer, whose text says it
}

// Target is what a plain reference says that it means. A path, a permalink's
// commit, a commit alone, or a range.
type Target struct {
	Base     Base
	Path     string // decoded once, as written: it may begin with ./ or ../, and end in / for a folder
	Lines    [2]int // first and last, from 1; zero where none are stated. Last may be before first: that is for the prover to refuse
	Fragment string // decoded, without #; never a spelling of Lines
	Web      string // a permalink: its address as written
	Revision string // a commit id, full or abbreviated
	Range    string // base..head or base...head
}

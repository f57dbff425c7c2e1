package reference

import "ctxptr/resolver"

// Form is how a reference is written.
type Form string

// The forms.
const (
	Pointer      Form = "pointer"       // ctxptr:…, in canonical spelling or not
	Link         Form = "link"          // a Markdown link, image or link definition, href or src of a tag in Markdown, a bare web address
	PathLine     Form = "path-line"     // path:12, path:12-34, path:12:5, path:L12, path (lines 12-34)
	Continuation Form = "continuation"  // :781 or :66-70, about a path named before it; 34 in path:12,34
	PathFragment Form = "path-fragment" // path#L10-L20, path#name
	Permalink    Form = "permalink"     // https://host/owner/repo/blob/<40 hex>/path#L1-L9, tree/, commit/
	Import       Form = "import"        // @docs/x.md
	FileBlock    Form = "file-block"    // #[[file:docs/x.md]]
	Source       Form = "source"        // [Source: docs/x.md#Section]
	FrontMatter  Form = "front-matter"  // a value of the front matter that is a path or, where its key says so, a commit
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

// Base is the folder that a path is relative to. A path that stands elsewhere has
// none.
type Base = resolver.PlainBase

// The bases, as the resolver tries them.
const (
	FromDocument = resolver.FromDocument
	FromRoot     = resolver.FromRoot
	FromEither   = resolver.FromEither
)

// Reference is one reference where it stands.
type Reference struct {
	Form     Form
	Skip     Skip
	Text     string // verbatim, the part of the document from From to To: a link's destination, one path of [Source: …], else the whole form
	From, To int    // bytes
	Line     int    // from 1
	Column   int    // in bytes, from 1
	Target   Target // zero for a Pointer, whose text says it
}

// Target is what a plain reference says that it means. A path, a permalink's
// commit, a commit alone, or a range.
type Target struct {
	Base     Base
	Path     string // decoded once, as written: it may begin with ./ or ../, and end in / for a folder; "" in a link to a part of the document itself
	Lines    [2]int // first and last, from 1; zero where none are stated. Last may be before first: that is for the prover to refuse
	Fragment string // decoded, without #; never a spelling of Lines
	Web      string // a permalink: its address as written; Path, Revision and Lines or Fragment are then its parts, and there is no Base
	Revision string // a commit id, full or abbreviated
	Range    string // base..head or base...head
}

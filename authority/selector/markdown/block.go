package markdown

// Kind is the kind of a block.
type Kind uint8

// The kinds of blocks. Quote and Item are containers: other blocks name them as
// Parent. A Row has a Table as Parent. Every other kind is a leaf.
const (
	_ Kind = iota
	Quote
	Item // a list item; lists themselves are not blocks here
	Paragraph
	Heading
	Code
	HTML
	Break
	Table
	Row
	Definition // a link reference definition
)

// None is the Parent of a block that stands in no container.
const None = -1

// Span is a half-open byte range [From, To) of the document.
type Span struct{ From, To int32 }

// Block is one block. Blocks stand in the order in which they begin, a parent
// before its children.
type Block struct {
	Kind   Kind
	Level  uint8 // Heading: 1 to 6
	Parent int32 // index of the parent block, or None
	// From is the first byte that is not white space, for an Item its marker.
	// To is the end of the last line that is not blank, before its terminator.
	Span
	// first and count give the lines of a Paragraph, Heading, Row or Definition
	// in Document.lines, without container markers and leading white space.
	first, count int32
}

// Document is a parsed document.
type Document struct {
	src    []byte
	blocks []Block
	lines  []Span
	refs   map[string]bool // normalised labels of the definitions, made on first use
	steps  int             // bytes and blocks looked at, what the tests hold against the length
}

// Blocks returns all blocks. The slice is the Document's own.
func (d *Document) Blocks() []Block { return d.blocks }

// Lines returns the content of b line by line, without container markers,
// leading white space and terminators: for a heading without its marks, for
// blocks whose inlines do not matter here nothing.
func (d *Document) Lines(b Block) []Span { return d.lines[b.first : b.first+b.count] }

// Bytes returns the bytes of s.
func (d *Document) Bytes(s Span) []byte { return d.src[s.From:s.To] }

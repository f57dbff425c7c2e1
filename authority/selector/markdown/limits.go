package markdown

import "fmt"

// The limits. The first three are part of the rules; the others bound memory
// and are far beyond any document written by hand.
const (
	MaxBytes        = 32 << 20 // of a document
	MaxIndent       = 256      // columns of white space before a block
	MaxDepth        = 64       // containers open at once, so markers on one line
	maxBlocks       = 1 << 20  // of a document
	maxLines        = 1 << 22  // of paragraphs, headings, rows and definitions
	maxHeadingBytes = 64 << 10 // of the text of one heading
)

// LimitError says that a document is beyond a limit.
type LimitError struct {
	What string // "columns of indent"
	Most int
	At   int // byte offset in the document where the limit was passed
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d %s at byte %d", e.Most, e.What, e.At)
}

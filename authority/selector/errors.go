package selector

import "errors"

// A Fault says why a selector gave no range. The set is closed.
type Fault uint8

// The faults.
const (
	_           Fault = iota
	Malformed         // the selector's own text breaks its grammar
	NoMatch           // nothing fits
	ManyMatches       // more than one place fits; Matches has them all
	BadContent        // the document cannot be parsed safely around the match
	Unsupported       // this installation cannot evaluate the selector on such a document
	OverLimit         // a bound on size, depth or time was reached
)

// Error is the error of every operation of this package.
type Error struct {
	Fault   Fault
	Proof   string  // one sentence, no content of the document
	Offset  int     // Malformed: byte offset in the selector's text; BadContent: in the document
	Matches []Match // ManyMatches only
	Lacking bool    // Unsupported: by this installation, not by every one
	Near    bool    // NoMatch: Proof says why what nearly fits does not
}

func (e *Error) Error() string { return e.Proof }

func malformed(offset int, proof string) *Error {
	return &Error{Fault: Malformed, Offset: offset, Proof: proof}
}

// shift moves the offset of a Malformed error by n bytes, for a value that
// stands n bytes into the selector's text.
func shift(err error, n int) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Fault == Malformed {
		moved := *e
		moved.Offset += n
		return &moved
	}
	return err
}

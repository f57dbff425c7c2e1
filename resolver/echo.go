package resolver

import (
	"bytes"
	"unicode/utf8"

	"ctxptr/authority"
)

// maxEcho is how many bytes of an input a record repeats.
const maxEcho = 4096

// echo is an input as a record repeats it: verbatim, or cut before what is too
// long or no UTF-8, with the length and digest of all of it. The passwords of
// URLs are never repeated.
func (i Item) echo() (text string, length int64, digest string) {
	text, length, digest = i.verbatim()
	return Redact(text), length, digest
}

func (i Item) verbatim() (text string, length int64, digest string) {
	if i.cut != nil {
		return validPrefix(i.Text), i.cut.length, i.cut.digest
	}
	text = validPrefix(i.Text[:min(len(i.Text), maxEcho)])
	if len(text) == len(i.Text) {
		return text, 0, ""
	}
	return text, int64(len(i.Text)), authority.BLAKE3Sum([]byte(i.Text)).String()
}

// validPrefix returns the longest prefix of s that is UTF-8.
func validPrefix(s string) string {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n <= 1 {
			return s[:i]
		}
		i += n
	}
	return s
}

// cutter digests a line that is too long to keep.
type cutter struct {
	h      authority.Hash
	length int64
	held   []byte // a terminator that may end the line
}

func newCutter(head []byte) *cutter {
	c := &cutter{h: authority.NewHash()}
	c.write(head)
	return c
}

// write takes the next bytes, holding back what may be the line's terminator.
func (c *cutter) write(b []byte) {
	c.flush(c.held)
	body := bytes.TrimRight(b, "\r\n")
	c.flush(body)
	c.held = append(c.held[:0], b[len(body):]...)
}

func (c *cutter) flush(b []byte) {
	c.h.Write(b)
	c.length += int64(len(b))
}

func (c *cutter) done() *cutText {
	c.flush(bytes.TrimSuffix(bytes.TrimSuffix(c.held, []byte{'\n'}), []byte{'\r'}))
	return &cutText{c.length, c.h.Identity().String()}
}

package resolver

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ctxptr/authority"
)

// Item is one pointer as it was given, not yet parsed.
type Item struct {
	Text   string // the pointer's text, verbatim: URI form, or JSON when JSON is set
	JSON   bool
	InText bool   // it stands in a text, where only the canonical spelling counts
	ID     string // the caller's own name for it, echoed in the record
	At     *Place // where it stands
	From   string // path, relative to the root, of the file in which it stands

	cut   *cutText         // set when the text was too long to keep
	fault *authority.Fault // set when the object around the pointer is broken
}

// cutText is what remains of a text that was too long to keep.
type cutText struct {
	length int64
	digest string
}

// Place is where a pointer stands in a file.
type Place struct {
	Path   string // relative to the root, bytes
	Line   int    // from 1
	Column int    // in bytes, from 1
}

// placeJSON is a Place as JSON carries it.
type placeJSON struct {
	Path    string `json:"path,omitempty"`
	PathURI string `json:"path_uri,omitempty"` // percent-encoded, when the path is no UTF-8
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

// MarshalJSON writes the path percent-encoded, as path_uri, where it is no UTF-8.
func (p Place) MarshalJSON() ([]byte, error) {
	out := placeJSON{Line: p.Line, Column: p.Column}
	out.Path, out.PathURI = PathInJSON(p.Path)
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Place) UnmarshalJSON(data []byte) error {
	var in placeJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*p = Place{in.Path, in.Line, in.Column}
	if in.PathURI == "" {
		return nil
	}
	path, err := DecodePath(in.PathURI)
	p.Path = path
	return err
}

// Compare orders places by path, line and column.
func (p Place) Compare(q Place) int {
	return cmp.Or(strings.Compare(p.Path, q.Path), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// InputError says that a list of pointers or of records could not be read.
type InputError struct {
	Offset int64 // byte offset in the input
	Proof  string
	Err    error
}

func (e *InputError) Error() string {
	return fmt.Sprintf("the list cannot be read at byte %d: %s", e.Offset, e.Proof)
}

func (e *InputError) Unwrap() error { return e.Err }

// MaxInput is the most bytes that a list of pointers may have.
const MaxInput = 64 << 20

// MaxItems is the most pointers that one list may hold: the answers for all of
// them stand in memory at once.
const MaxItems = 1 << 18

// ReadItems reads a list of pointers to its end: one pointer a line, in URI or
// JSON form, or one JSON array of them. An element of either may be an object
// {"id": …, "pointer": …} whose id the record repeats. White space around a
// pointer is no part of it, nor is a byte order mark before all of them, and blank lines
// are skipped. The error is an *InputError.
func ReadItems(r io.Reader) ([]Item, error) {
	limited := &io.LimitedReader{R: r, N: MaxInput + 1} // one more, to see that it is too long
	b := bufio.NewReaderSize(limited, 64<<10)
	mark := skipMark(b)
	first, skipped, err := firstByte(b)
	skipped += mark
	var items []Item
	switch {
	case errors.Is(err, io.EOF):
		err = nil
	case err != nil:
		return nil, &InputError{Offset: skipped, Proof: "the input broke off", Err: err}
	case first == '[':
		items, err = readArray(b, skipped)
	default:
		items, err = readLines(b, skipped)
	}
	if limited.N <= 0 {
		return nil, tooLong()
	}
	return items, err
}

// skipMark skips a UTF-8 byte order mark, which some editors and shells write, and
// returns its length.
func skipMark(b *bufio.Reader) int64 {
	const mark = "\ufeff"
	if head, _ := b.Peek(len(mark)); string(head) != mark {
		return 0
	}
	n, _ := b.Discard(len(mark)) // it was read before
	return int64(n)
}

// tooLong is the error of an input that exceeds its bound.
func tooLong() *InputError {
	return &InputError{Offset: MaxInput, Proof: fmt.Sprintf("it has more than %d bytes", MaxInput)}
}

func tooMany(offset int64) *InputError {
	return &InputError{Offset: offset, Proof: fmt.Sprintf("it has more than %d pointers", MaxItems)}
}

// firstByte skips white space and returns the next byte without taking it.
func firstByte(b *bufio.Reader) (c byte, skipped int64, err error) {
	for {
		c, err := b.ReadByte()
		if err != nil {
			return 0, skipped, err
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, skipped, b.UnreadByte()
		}
		skipped++
	}
}

func readArray(r io.Reader, offset int64) ([]Item, error) {
	d := jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	fail := func(err error) ([]Item, error) {
		return nil, &InputError{Offset: offset + d.InputOffset(), Proof: "the JSON array is broken", Err: err}
	}
	if _, err := d.ReadToken(); err != nil {
		return fail(err)
	}
	var items []Item
	for d.PeekKind() != ']' {
		value, err := d.ReadValue()
		if err != nil {
			return fail(err)
		}
		if len(items) == MaxItems {
			return nil, tooMany(offset + d.InputOffset())
		}
		items = append(items, itemOfJSON(bytes.TrimSpace(value)))
	}
	if _, err := d.ReadToken(); err != nil {
		return fail(err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return fail(errors.New("something follows the array"))
	}
	return items, nil
}

// readLines reads one pointer a line. Of a line longer than a pointer can be,
// only the beginning, the length and the digest are kept.
func readLines(b *bufio.Reader, offset int64) ([]Item, error) {
	var items []Item
	for {
		line, cut, err := readLine(b)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, &InputError{Offset: offset, Proof: "the input broke off", Err: err}
		}
		offset += int64(len(line))
		if cut != nil {
			offset += cut.length - int64(len(line))
		}
		if item, ok := itemOfLine(line, cut); ok {
			if len(items) == MaxItems {
				return nil, tooMany(offset)
			}
			items = append(items, item)
		}
		if err != nil {
			return items, nil
		}
	}
}

// readLine returns the next line with its terminator.
func readLine(b *bufio.Reader) ([]byte, *cutText, error) {
	var line []byte
	var cut *cutter
	for {
		piece, err := b.ReadSlice('\n')
		switch {
		case cut != nil:
			cut.write(piece)
		case len(line)+len(piece) > 2*MaxPointer:
			cut = newCutter(line)
			cut.write(piece)
			line = line[:min(len(line), maxEcho)]
		default:
			line = append(line, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if cut != nil {
			return line, cut.done(), err
		}
		return line, nil, err
	}
}

func itemOfLine(line []byte, cut *cutText) (Item, bool) {
	if cut != nil {
		return Item{Text: string(line), cut: cut}, true
	}
	if line = bytes.Trim(line, " \t\r\n"); len(line) == 0 {
		return Item{}, false
	}
	return ItemOf(string(line)), true
}

// ItemOf makes an item of one argument or line: JSON when it begins with a
// brace or a quotation mark, else the URI form.
func ItemOf(text string) Item {
	if text != "" && (text[0] == '{' || text[0] == '"') {
		return itemOfJSON([]byte(text))
	}
	return Item{Text: text}
}

// parse parses the item's text.
func (i Item) parse() (Pointer, error) {
	switch {
	case i.fault != nil:
		return Pointer{}, i.fault
	case i.cut != nil:
		return Pointer{}, syntaxAt(MaxPointer, "the text has %d bytes; a pointer has at most %d", i.cut.length, MaxPointer)
	case i.JSON:
		return ParseJSON([]byte(i.Text))
	}
	if i.InText {
		return ParseInText(i.Text)
	}
	p, err := ParsePointer(i.Text)
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		return Pointer{}, noPointer(i.Text, f)
	}
	return p, nil
}

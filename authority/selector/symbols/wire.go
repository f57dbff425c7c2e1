package symbols

import (
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf8"
)

// Protocol is the version of the frames and of what the language tables
// select. Both sides must have the same one: a companion of another version is
// not asked anything.
const Protocol = 2

// AheadBytes bounds the requests that a companion is sent before it has answered the
// first of them, in bytes of source, each with FileBytes more: it reads them while it
// parses, so that the next one is there when it is done with one. That makes Ahead of
// them at most. The first may be of any size. Replies come in the order of the
// requests, each before the next request is looked at.
const (
	AheadBytes = 16 << 10
	FileBytes  = 2 << 10
	Ahead      = AheadBytes / FileBytes
)

// MaxSource is the size in bytes of the largest source file that the companion
// is asked about.
const MaxSource = 16 << 20

// MaxReply is the size in bytes of the largest reply that is read.
const MaxReply = 64 << 20

// ExitMemory and ExitDeadline are the exit codes of a companion that ended
// because a file needed more than its limit of memory or time.
const (
	ExitMemory   = 3
	ExitDeadline = 4
)

const (
	frameHead  = 4 // bytes of the length before a payload
	magic      = "ctxptr-symbols"
	maxNames   = 256 // names of one definition
	maxStrings = 64  // languages of a companion
	maxName    = 64  // bytes of the name of a language
)

// ErrFrame is the error of bytes that are no frame of this protocol.
var ErrFrame = errors.New("not a frame of the symbols protocol")

// Hello is what a companion says first: a frame of the magic word, the
// protocol, and the languages it can parse, sorted.
type Hello struct {
	Protocol  int
	Languages []string
}

// Request asks for the outline of one source file.
type Request struct {
	Language string
	Source   []byte
}

// Status says what a Reply holds.
type Status uint8

// The statuses.
const (
	OK         Status = iota
	NoLanguage        // this companion cannot parse the language
	BadSource         // the source has NUL or is not UTF-8, at Reply.Offset
	TooDeep           // a bound on depth or number of definitions was reached
)

// Reply is the answer to one Request. Outline is set for OK only.
type Reply struct {
	Status  Status
	Offset  int
	Outline Outline
}

// WriteFrame writes payload behind its length, four bytes big-endian, at once: a
// reader that is waiting wakes for a whole frame.
func WriteFrame(w io.Writer, payload []byte) error {
	frame := binary.BigEndian.AppendUint32(make([]byte, 0, frameHead+len(payload)), uint32(len(payload)))
	_, err := w.Write(append(frame, payload...))
	return err
}

// ReadFrame reads one frame of at most most bytes. It takes no more memory
// than arrives. At the end of the input the error is io.EOF.
func ReadFrame(r io.Reader, most int) ([]byte, error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	size := int64(binary.BigEndian.Uint32(head[:]))
	if size > int64(most) {
		return nil, ErrFrame
	}
	payload, err := readGrowing(r, int(size))
	if err == nil && len(payload) < int(size) {
		err = io.ErrUnexpectedEOF
	}
	return payload, err
}

// readGrowing reads up to size bytes in steps, so that a length that lies costs
// no more than twice what arrives.
func readGrowing(r io.Reader, size int) ([]byte, error) {
	const step = 1 << 20
	buf := make([]byte, 0, min(size, step))
	for len(buf) < size {
		if len(buf) == cap(buf) {
			grown := make([]byte, len(buf), min(size, 2*cap(buf)))
			copy(grown, buf)
			buf = grown
		}
		n, err := io.ReadFull(r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err != nil {
			return buf, err
		}
	}
	return buf, nil
}

// Encode returns the payload of h.
func (h Hello) Encode() []byte {
	b := appendString(nil, magic)
	b = binary.AppendUvarint(b, uint64(h.Protocol))
	b = binary.AppendUvarint(b, uint64(len(h.Languages)))
	for _, l := range h.Languages {
		b = appendString(b, l)
	}
	return b
}

// DecodeHello is the inverse of Hello.Encode.
func DecodeHello(payload []byte) (Hello, error) {
	d := decoder{rest: string(payload)}
	if d.text() != magic {
		return Hello{}, ErrFrame
	}
	h := Hello{Protocol: d.number(1 << 30)}
	n := d.number(maxStrings)
	for range n {
		h.Languages = append(h.Languages, d.text())
	}
	return h, d.end()
}

// Encode returns the payload of r.
func (r Request) Encode() []byte { return r.Frame()[frameHead:] }

// Frame returns the frame of r.
func (r Request) Frame() []byte {
	b := make([]byte, frameHead, frameHead+len(r.Source)+len(r.Language)+binary.MaxVarintLen64)
	b = append(appendString(b, r.Language), r.Source...)
	binary.BigEndian.PutUint32(b, uint32(len(b)-frameHead))
	return b
}

// DecodeRequest is the inverse of Request.Encode; the source shares payload's
// memory.
func DecodeRequest(payload []byte) (Request, error) {
	n, used := binary.Uvarint(payload)
	if used <= 0 || n > maxName || int(n) > len(payload)-used {
		return Request{}, ErrFrame
	}
	rest := payload[used:]
	return Request{Language: string(rest[:n]), Source: rest[n:]}, nil
}

// Encode returns the payload of r.
func (r Reply) Encode() []byte {
	b := append([]byte(nil), byte(r.Status))
	b = binary.AppendUvarint(b, uint64(r.Offset))
	b = binary.AppendUvarint(b, uint64(len(r.Outline.Defs)))
	for i := range r.Outline.Defs {
		b = appendDef(b, &r.Outline.Defs[i])
	}
	b = binary.AppendUvarint(b, uint64(len(r.Outline.Errors)))
	for _, e := range r.Outline.Errors {
		b = binary.AppendUvarint(b, uint64(e.From))
		b = binary.AppendUvarint(b, uint64(e.To-e.From))
	}
	return b
}

func appendDef(b []byte, d *Def) []byte {
	b = binary.AppendUvarint(b, uint64(d.Parent+1))
	b = binary.AppendUvarint(b, uint64(len(d.Names)))
	for _, n := range d.Names {
		b = appendString(b, n)
	}
	b = appendString(b, d.Kind)
	if d.Overloads {
		b = appendString(append(b, 1), d.Params)
	} else {
		b = append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(d.From))
	b = binary.AppendUvarint(b, uint64(d.To-d.From))
	b = binary.AppendUvarint(b, uint64(d.From-d.Doc))
	return binary.AppendUvarint(b, uint64(d.Broken+1))
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// DecodeReply is the inverse of Reply.Encode for a source of size bytes. It
// trusts nothing: what lies outside the source or breaks the rules of Def is
// ErrFrame.
func DecodeReply(payload []byte, size int) (Reply, error) {
	d := decoder{rest: string(payload)}
	r := Reply{Status: Status(d.byte(byte(TooDeep))), Offset: d.number(size)}
	n := d.number(len(d.rest)) // each definition takes more than one byte
	if n > 0 && !d.bad {
		r.Outline.Defs = make([]Def, 0, min(n, len(d.rest)/8+1))
	}
	for i := 0; i < n && !d.bad; i++ {
		r.Outline.Defs = append(r.Outline.Defs, d.def(i, size))
	}
	n = d.number(len(d.rest))
	for i := 0; i < n && !d.bad; i++ {
		r.Outline.Errors = append(r.Outline.Errors, d.span(size))
	}
	if err := d.end(); err != nil {
		return Reply{}, err
	}
	if r.Status != OK && (len(r.Outline.Defs) > 0 || len(r.Outline.Errors) > 0) {
		return Reply{}, ErrFrame
	}
	return r, nil
}

// decoder reads a payload; after the first fault everything is zero and bad.
type decoder struct {
	rest string
	bad  bool
}

func (d *decoder) fail() { d.bad, d.rest = true, "" }

func (d *decoder) end() error {
	if d.bad || d.rest != "" {
		return ErrFrame
	}
	return nil
}

// number reads an unsigned varint of at most most, in its shortest form.
func (d *decoder) number(most int) int {
	var n uint64
	for i := 0; i < len(d.rest) && i < 5; i++ {
		c := d.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c >= 0x80 {
			continue
		}
		if n > uint64(most) || i > 0 && c == 0 {
			break
		}
		d.rest = d.rest[i+1:]
		return int(n)
	}
	d.fail()
	return 0
}

func (d *decoder) byte(most byte) byte {
	if d.rest == "" || d.rest[0] > most {
		d.fail()
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

func (d *decoder) text() string {
	n := d.number(len(d.rest))
	if n > len(d.rest) || !utf8.ValidString(d.rest[:n]) {
		d.fail()
		return ""
	}
	s := d.rest[:n]
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) span(size int) Span {
	from := d.number(size)
	return Span{from, from + d.number(size-from)}
}

// def reads definition number i.
func (d *decoder) def(i, size int) Def {
	def := Def{Parent: d.number(i) - 1}
	n := d.number(maxNames)
	for j := 0; j < n && !d.bad; j++ {
		name := d.text()
		if name == "" {
			d.fail()
		}
		def.Names = append(def.Names, name)
	}
	def.Kind = d.text()
	if def.Overloads = d.byte(1) == 1; def.Overloads {
		def.Params = d.text()
	}
	def.Span = d.span(size)
	def.Doc = def.From - d.number(def.From)
	def.Broken = d.number(size+1) - 1
	if n == 0 {
		d.fail()
	}
	return def
}

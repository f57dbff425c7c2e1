// Package pins reads and writes pins files: committed text files, named
// ctxptr.pins, that give the plain references of documents an identity without
// touching the documents. A line is one pin:
//
//	pin = document SP pointer LF
//
// document is the path of the referring file relative to the folder of the pins
// file, percent-encoded as a pointer's locator is; the pointer is canonical. Lines
// are sorted by their bytes and stand once. Each document is governed by the
// nearest pins file at or above it.
package pins

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// Name is the base name of every pins file.
const Name = authority.PinsFile

// Pin is one line of a pins file.
type Pin struct {
	Document string           // path of the referring file, relative to the root
	Pointer  resolver.Pointer // canonical
	Line     int              // from 1
	Offset   int              // byte offset of the pointer in the file
	Column   int              // of the pointer, in bytes, from 1
}

// Bad is a line that is no pin.
type Bad struct {
	Text  string // without its terminator
	Line  int    // from 1
	Fault *authority.Fault
}

// File is a pins file as it was read.
type File struct {
	Path string // relative to the root
	Pins []Pin
	Bad  []Bad
	crlf bool
}

// Parse reads a pins file. Lines may end in CRLF, as some checkouts write them.
func Parse(p string, data []byte) *File {
	f := &File{Path: p, crlf: bytes.Contains(data, []byte("\r\n"))}
	offset, number, previous := 0, 0, ""
	for line := range strings.Lines(string(data)) {
		number++
		if number == 1 && strings.HasPrefix(line, "\ufeff") {
			f.Bad = append(f.Bad, Bad{Text: strings.TrimRight(line, "\r\n"), Line: 1, Fault: badAt(0, "a byte order mark stands before the first line: take it out")})
			offset += len(line)
			continue
		}
		text := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		pin, err := parseLine(path.Dir(p), text)
		switch {
		case isMarker(text):
			previous = "" // each side of a conflict is in order by itself
		case err == nil:
			// Against the line before alone: a run of lines in the wrong place is one fault.
			if text <= previous {
				err = badAt(0, "the lines of a pins file are sorted by their bytes and stand once: accept puts them right")
			}
			previous = text
		}
		if fault, ok := errors.AsType[*authority.Fault](err); ok {
			f.Bad = append(f.Bad, Bad{text, number, fault})
		} else {
			pin.Line, pin.Offset = number, offset+pin.Column-1
			f.Pins = append(f.Pins, pin)
		}
		offset += len(line)
	}
	return f
}

// InOrder returns the bytes of a pins file of which nothing but the order is wrong, put in
// order as Sort does it; false for every other.
func InOrder(p string, data []byte) ([]byte, bool) {
	if len(Parse(p, data).Bad) == 0 {
		return data, false
	}
	sorted := Sort(data)
	if len(Parse(p, sorted).Bad) > 0 {
		return data, false
	}
	return sorted, true
}

// isMarker reports whether a line is one that git puts around the sides of a
// conflict: seven of a byte, or as many more as conflict-marker-size says. A label
// behind = is none: a document can have that name.
func isMarker(text string) bool {
	name, label, _ := strings.Cut(text, " ")
	if len(name) < 7 || strings.Trim(name, name[:1]) != "" {
		return false
	}
	return name[0] == '=' && label == "" || strings.IndexByte("<|>", name[0]) >= 0
}

// parseLine parses one line without its terminator. The error is a
// *authority.Fault with an offset in the line.
func parseLine(folder, text string) (Pin, error) {
	name, pointer, found := strings.Cut(text, " ")
	if isMarker(text) {
		return Pin{}, badAt(0, "a conflict of git stands there: take the lines of markers out, and accept puts both sides in order and settles what differs")
	}
	if !found {
		return Pin{}, badAt(len(text), "a pin is the path of a document, a space and a pointer")
	}
	document, err := resolver.DecodePath(name)
	if err != nil {
		return Pin{}, err
	}
	if document != path.Clean(document) || !local(document) || resolver.EncodePath(document) != name {
		return Pin{}, badAt(0, "the path of a document is relative to the pins file, clean, at or below its folder, and in its one spelling")
	}
	p, err := resolver.ParseInText(pointer)
	if fault, ok := errors.AsType[*authority.Fault](err); ok {
		moved := *fault
		moved.Offset = max(moved.Offset, 0) + len(name) + 1
		return Pin{}, &moved
	}
	return Pin{Document: path.Join(folder, document), Pointer: p, Column: len(name) + 2}, nil
}

// local reports whether a clean path stays below its folder.
func local(p string) bool {
	return p != "." && p != ".." && !strings.HasPrefix(p, "../") && !strings.HasPrefix(p, "/")
}

func badAt(offset int, proof string) *authority.Fault {
	return &authority.Fault{Code: authority.MalformedSyntax, Proof: proof, Offset: offset}
}

// Format returns the bytes of the file: its pins, sorted, each once. A file with
// bad lines must not be written, since they would be lost.
func (f *File) Format() []byte {
	lines := make([]string, len(f.Pins))
	for i, pin := range f.Pins {
		lines[i] = Line(f.Path, pin.Document, pin.Pointer.String())
	}
	slices.Sort(lines)
	var b bytes.Buffer
	for _, line := range slices.Compact(lines) {
		b.WriteString(line)
		if f.crlf {
			b.WriteByte('\r')
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// Sort returns the bytes of a pins file with its lines sorted, each once; a file in
// order as it is. Terminators stay where they are: only what stands before them
// moves.
func Sort(data []byte) []byte {
	var texts, ends [][]byte
	for line := range bytes.Lines(data) {
		text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		texts, ends = append(texts, text), append(ends, line[len(text):])
	}
	slices.SortFunc(texts, bytes.Compare)
	texts = slices.CompactFunc(texts, bytes.Equal)
	var out bytes.Buffer
	for i, text := range texts {
		out.Write(text)
		if i == len(texts)-1 {
			i = len(ends) - 1
		}
		out.Write(ends[i])
	}
	return out.Bytes()
}

// Line is the line of a pins file, without its terminator, that gives a document, whose
// path is relative to the root, a pointer.
func Line(file, document, pointer string) string {
	if folder := path.Dir(file); folder != "." {
		document = strings.TrimPrefix(document, folder+"/")
	}
	return resolver.EncodePath(document) + " " + pointer
}

// Above lists the pins files that can govern a document, the nearest first.
func Above(document string) []string {
	var list []string
	for dir := path.Dir(document); ; dir = path.Dir(dir) {
		list = append(list, path.Join(dir, Name))
		if dir == "." || dir == "/" {
			return list
		}
	}
}

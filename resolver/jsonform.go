package resolver

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// fields are the values of the JSON form, by key, with their offsets.
type fields map[string]part

// The keys of the JSON form, in the order in which they are documented.
var jsonKeys = []struct {
	name     string
	optional bool
	missing  authority.Code
}{
	{"authority_kind", false, authority.MalformedKind},
	{"locator", false, authority.MalformedLocator},
	{"selector", true, ""},
	{"identity", false, authority.MalformedIdentity},
	{"freshness_rule", false, authority.MalformedFreshnessRule},
}

// ParseJSON parses a pointer in JSON: an object with exactly the keys
// authority_kind, locator, identity, freshness_rule and optionally selector,
// all strings; or a string that holds the URI form. Duplicate and unknown keys
// (a key in other case is unknown), lone surrogates, invalid UTF-8 and trailing
// data are malformed:syntax. The error is a *authority.Fault with the byte
// offset in text.
func ParseJSON(text []byte) (Pointer, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	switch d.PeekKind() {
	case '"':
		uri, err := readString(d, text)
		if err != nil {
			return Pointer{}, err
		}
		return atOffset(uri, func(s string) (Pointer, error) { return ParsePointer(s) })
	case '{':
		f, err := readFields(d, text)
		if err != nil {
			return Pointer{}, err
		}
		return f.pointer(len(text))
	case 0:
		_, err := d.ReadToken()
		return Pointer{}, jsonFault(d, err)
	}
	return Pointer{}, syntaxAt(0, "a pointer in JSON is an object or a string")
}

// readString reads the one string of text.
func readString(d *jsontext.Decoder, text []byte) (part, error) {
	token, err := d.ReadToken()
	if err != nil {
		return part{}, jsonFault(d, err)
	}
	value := part{strings.Clone(token.String()), 0}
	return value, atEnd(d, text)
}

// readFields reads the one object of text.
func readFields(d *jsontext.Decoder, text []byte) (fields, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, jsonFault(d, err)
	}
	f := fields{}
	for d.PeekKind() != '}' {
		at := nextAt(d, text)
		key, err := d.ReadToken()
		if err != nil {
			return nil, jsonFault(d, err)
		}
		name := key.String()
		if !knownKey(name) {
			return nil, syntaxAt(at, "unknown key %s; keys are %s, in lower case", authority.Quote(name), keyNames())
		}
		at = nextAt(d, text)
		if d.PeekKind() != '"' {
			if _, err := d.ReadToken(); err != nil {
				return nil, jsonFault(d, err)
			}
			return nil, syntaxAt(at, "the value of %s is no string", name)
		}
		value, err := d.ReadToken()
		if err != nil {
			return nil, jsonFault(d, err)
		}
		f[name] = part{strings.Clone(value.String()), at}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, jsonFault(d, err)
	}
	return f, atEnd(d, text)
}

// nextAt returns the offset of the next token, behind white space and
// separators.
func nextAt(d *jsontext.Decoder, text []byte) int {
	rest := text[d.InputOffset():]
	return len(text) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
}

func knownKey(name string) bool {
	for _, k := range jsonKeys {
		if k.name == name {
			return true
		}
	}
	return false
}

func keyNames() string {
	names := make([]string, len(jsonKeys))
	for i, k := range jsonKeys {
		names[i] = k.name
	}
	return strings.Join(names, " ")
}

// atEnd refuses anything behind the value.
func atEnd(d *jsontext.Decoder, text []byte) error {
	at := nextAt(d, text)
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		if err != nil {
			return jsonFault(d, err)
		}
		return syntaxAt(at, "something follows the JSON value")
	}
	return nil
}

// jsonFault turns a decoder's error into a fault that repeats no content.
func jsonFault(d *jsontext.Decoder, err error) *authority.Fault {
	offset, proof := d.InputOffset(), "the text is no strict JSON"
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset = e.ByteOffset
		if errors.Is(e.Err, jsontext.ErrDuplicateName) {
			proof = "a key stands twice"
		}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		proof = "the JSON value is cut off"
	}
	return syntaxAt(int(offset), "%s", proof)
}

// pointer parses the values.
func (f fields) pointer(end int) (Pointer, error) {
	for _, k := range jsonKeys {
		if _, ok := f[k.name]; !ok && !k.optional {
			return Pointer{}, faultAt(k.missing, end, "the key %s is missing", k.name)
		}
	}
	kind, err := atOffset(f["authority_kind"], authority.LookupKind)
	if err != nil {
		return Pointer{}, err
	}
	locator, err := atOffset(f["locator"], func(s string) (authority.Locator, error) { return parseLocatorText(kind, s) })
	if err != nil {
		return Pointer{}, err
	}
	identity, err := atOffset(f["identity"], authority.ParseIdentity)
	if err != nil {
		return Pointer{}, err
	}
	rules, err := atOffset(f["freshness_rule"], ParseRules)
	if err != nil {
		return Pointer{}, err
	}
	var sel selector.Selector
	if text, ok := f["selector"]; ok {
		if sel, err = atOffset(text, parseSelectorText); err != nil {
			return Pointer{}, err
		}
	}
	p, err := NewPointer(locator, identity, rules, sel)
	if err != nil {
		return Pointer{}, atValue(err, f["authority_kind"])
	}
	return checkLength(p)
}

// checkLength refuses a pointer whose canonical text would be too long.
func checkLength(p Pointer) (Pointer, error) {
	if n := len(p.String()); n > MaxPointer {
		return Pointer{}, syntaxAt(0, "the pointer has %d bytes in URI form; it may have at most %d", n, MaxPointer)
	}
	return p, nil
}

// parseSelectorText parses the decoded text of a selector.
func parseSelectorText(text string) (selector.Selector, error) {
	sel, err := selector.Parse(text)
	if err != nil {
		return selector.Selector{}, authority.SelectorFault(err)
	}
	return sel, nil
}

// atOffset parses a value and says of a fault where the value stands.
func atOffset[T any](value part, parse func(string) (T, error)) (T, error) {
	out, err := parse(value.text)
	if err != nil {
		return out, atValue(err, value)
	}
	return out, nil
}

// atValue moves a fault to the JSON value it is about; escapes in the value make
// a finer offset meaningless, so the proof names the byte of the decoded text.
func atValue(err error, value part) error {
	f, ok := errors.AsType[*authority.Fault](err)
	if !ok {
		return err
	}
	moved := *f
	if f.Offset > 0 {
		moved.Proof += " (byte " + strconv.Itoa(f.Offset) + " of the value)"
	}
	moved.Offset = value.at
	return &moved
}

package selector

import (
	"bytes"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// keyValue adds the value of a possibly dotted key to table t.
func (doc *tomlDoc) keyValue(t *tomlValue, n *unstable.Node, keys []tomlKey, depth int) *Error {
	end := int(n.Raw.Offset + n.Raw.Length)
	last := keys[len(keys)-1]
	at := doc.skip(last.to, " \t") + 1 // behind '='
	v, _, err := doc.value(n.Value(), doc.skip(at, " \t"), depth+len(keys))
	if err != nil {
		return err
	}
	for i, k := range keys[:len(keys)-1] {
		child := t.get(k.text)
		if child == nil || child.origin != fromDotted {
			if child != nil {
				doc.forbid(k.from)
			}
			child = &tomlValue{form: objectForm, origin: fromDotted}
			if err := doc.add(t, k.text, child); err != nil {
				return err
			}
		}
		child.parts = append(child.parts, tomlPart{from: keys[i+1].from, to: end, own: true, leaf: v, shown: Range{v.from, v.to}})
		t = child
	}
	if t.get(last.text) != nil {
		doc.forbid(last.from)
	}
	return doc.add(t, last.text, v)
}

// skip returns the offset of the first byte from at on that is not in set.
func (doc *tomlDoc) skip(at int, set string) int {
	for at < len(doc.src) && strings.IndexByte(set, doc.src[at]) >= 0 {
		at++
	}
	return at
}

// value reads the value that begins at from and returns its end.
func (doc *tomlDoc) value(n *unstable.Node, from, depth int) (*tomlValue, int, *Error) {
	if depth > dataDepth {
		return nil, 0, tooDeep()
	}
	v := &tomlValue{static: true, from: from, kind: n.Kind}
	var err *Error
	switch {
	case !doc.begins(n, from):
		err = badData(tomlName, "has a value whose place is not known", min(from, len(doc.src)))
	case n.Kind == unstable.Array:
		v.form = arrayForm
		v.to, err = doc.array(v, n, depth)
	case n.Kind == unstable.InlineTable:
		v.form = objectForm
		v.to, err = doc.inlineTable(v, n, depth)
	default:
		v.data, v.to = string(n.Data), from+int(n.Raw.Length)
		if !validTOMLScalar(n.Kind, doc.src[from:v.to]) {
			err = badData(tomlName, "has a value that TOML 1.0 does not allow", from)
		}
	}
	return v, v.to, err
}

// begins reports whether value n begins at from. The parser records no place
// for arrays.
func (doc *tomlDoc) begins(n *unstable.Node, from int) bool {
	if n.Kind == unstable.Array {
		return from < len(doc.src) && doc.src[from] == '['
	}
	return from == int(n.Raw.Offset)
}

// array reads the elements of an array and returns its end.
func (doc *tomlDoc) array(v *tomlValue, n *unstable.Node, depth int) (int, *Error) {
	at := v.from + 1
	for it := n.Children(); it.Next(); {
		child, end, err := doc.value(it.Node(), doc.between(at), depth+1)
		if err != nil {
			return 0, err
		}
		if err := doc.add(v, "", child); err != nil {
			return 0, err
		}
		at = end
	}
	return doc.between(at) + 1, nil
}

// between skips what may stand between two elements of an array.
func (doc *tomlDoc) between(at int) int {
	for {
		at = doc.skip(at, " \t\r\n,")
		if at >= len(doc.src) || doc.src[at] != '#' {
			return at
		}
		end := bytes.IndexByte(doc.src[at:], '\n')
		if end < 0 {
			return len(doc.src)
		}
		at += end
	}
}

// inlineTable reads the keys of an inline table and returns its end. In TOML 1.0
// it stands on one line, but for its values, and has no trailing comma.
func (doc *tomlDoc) inlineTable(v *tomlValue, n *unstable.Node, depth int) (int, *Error) {
	at, separators := v.from+1, " \t"
	for it := n.Children(); it.Next(); {
		kv := it.Node()
		if int(kv.Raw.Offset) != doc.skip(at, separators) {
			return 0, badData(tomlName, "has an inline table of several lines", at)
		}
		if err := doc.keyValue(v, kv, tomlKeys(kv), depth); err != nil {
			return 0, err
		}
		at, separators = int(kv.Raw.Offset+kv.Raw.Length), " \t,"
	}
	at = doc.skip(at, " \t")
	if doc.src[at] != '}' {
		return 0, badData(tomlName, "has an inline table of several lines or with a trailing comma", at)
	}
	return at + 1, nil
}

// validTOMLScalar checks what the parser leaves open: dates, times, and escapes
// that only later versions of TOML have.
func validTOMLScalar(kind unstable.Kind, raw []byte) bool {
	switch kind {
	case unstable.String:
		return raw[0] != '"' || validEscapes(raw)
	case unstable.LocalDate, unstable.LocalTime, unstable.LocalDateTime, unstable.DateTime:
		return validTime(kind, string(raw))
	}
	return true
}

// validEscapes reports whether a basic string has no \e and no \xHH.
func validEscapes(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' {
			i++
			if raw[i] == 'e' || raw[i] == 'x' {
				return false
			}
		}
	}
	return true
}

// validTime reports whether text has exactly the shape of RFC 3339 and names a
// date and time that exist.
func validTime(kind unstable.Kind, text string) bool {
	text = strings.ToUpper(text)
	var layout, shape string
	if kind != unstable.LocalTime {
		layout, shape = "2006-01-02", "dddd-dd-dd"
	}
	if kind == unstable.LocalDateTime || kind == unstable.DateTime {
		if len(text) < len(layout)+1 {
			return false
		}
		text = text[:len(layout)] + "T" + text[len(layout)+1:]
		layout, shape = layout+"T", shape+"T"
	}
	if kind != unstable.LocalDate {
		layout, shape = layout+"15:04:05", shape+"dd:dd:dd"
	}
	if !hasShape(text, shape) || !restOfTime(kind, text[len(shape):]) {
		return false
	}
	if kind == unstable.DateTime {
		layout += "Z07:00"
	}
	_, err := time.Parse(layout, text)
	return err == nil
}

// hasShape reports whether text begins with shape, in which d is a digit.
func hasShape(text, shape string) bool {
	if len(text) < len(shape) {
		return false
	}
	for i := range len(shape) {
		digit := '0' <= text[i] && text[i] <= '9'
		if shape[i] == 'd' != digit || !digit && shape[i] != text[i] {
			return false
		}
	}
	return true
}

// restOfTime checks the fraction of a second and the offset.
func restOfTime(kind unstable.Kind, rest string) bool {
	if fraction, found := strings.CutPrefix(rest, "."); found && kind != unstable.LocalDate {
		rest = strings.TrimLeft(fraction, "0123456789")
		if len(rest) == len(fraction) {
			return false
		}
	}
	if kind != unstable.DateTime {
		return rest == ""
	}
	offset := len(rest) == 6 && (hasShape(rest, "+dd:dd") || hasShape(rest, "-dd:dd"))
	return rest == "Z" || offset && rest[1:3] < "24" && rest[4:6] < "60"
}

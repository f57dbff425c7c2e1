package selector

import (
	"bytes"
	"errors"

	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlValue is one value of a TOML document.
type tomlValue struct {
	form   form
	kind   unstable.Kind // of a scalar
	data   string        // content of a scalar
	parent *tomlValue
	index  int // in the parent's values

	keys   []string       // of a table's values; a key defined twice stands twice
	values []*tomlValue   // of a table or an array
	byKey  map[string]int // index of a key's last value, made for larger tables

	origin tomlOrigin
	static bool // from and to are its bytes: a scalar, an array, an inline table
	from   int
	to     int
	parts  []tomlPart // where the content of other tables stands
}

// tomlOrigin is what made a table or an array. It decides what may add to it.
type tomlOrigin uint8

const (
	fromValue  tomlOrigin = iota // a value: nothing adds to it
	fromHeader                   // its own header, or the headers of an array of tables
	fromPath                     // the header of a table below it
	fromDotted                   // a dotted key
)

// tomlPart is one place where content of a table stands.
type tomlPart struct {
	from, to int
	own      bool       // the bytes are the table's whole content, as a document
	leaf     *tomlValue // what stands there
	shown    Range      // the bytes shown for it when there are several parts
}

// get returns the last value of a key, nil when there is none.
func (v *tomlValue) get(key string) *tomlValue {
	if v.byKey != nil {
		if i, ok := v.byKey[key]; ok {
			return v.values[i]
		}
		return nil
	}
	for i := len(v.keys) - 1; i >= 0; i-- {
		if v.keys[i] == key {
			return v.values[i]
		}
	}
	return nil
}

// put adds a value to a table, or to an array, whose keys are not used.
func (v *tomlValue) put(key string, child *tomlValue) {
	child.parent, child.index = v, len(v.values)
	v.values = append(v.values, child)
	if v.form != objectForm {
		return
	}
	v.keys = append(v.keys, key)
	switch {
	case v.byKey != nil:
		v.byKey[key] = child.index
	case len(v.keys) > 8:
		v.byKey = make(map[string]int, 2*len(v.keys))
		for i, k := range v.keys {
			v.byKey[k] = i
		}
	}
}

// tomlDoc is a TOML document being read.
type tomlDoc struct {
	src     []byte
	root    *tomlValue
	invalid *Error // the first definition that TOML forbids; reading goes on behind it
	count   int

	table   *tomlValue   // the table that keys are added to now
	above   []*tomlValue // the tables and arrays around it, which its content is a part of
	section tomlPart     // its body so far
}

// tomlKey is one part of a dotted key.
type tomlKey struct {
	text string
	from int
	to   int
}

// readTOML reads a document. It refuses what breaks the grammar; what is only
// defined twice is left in the tree, for a path to find, and noted in invalid.
func readTOML(src []byte) (*tomlDoc, *Error) {
	marks := 0
	for _, c := range []byte(",.\n") {
		marks += bytes.Count(src, []byte{c})
	}
	if marks > tomlMarks {
		return nil, &Error{Fault: OverLimit, Proof: "the TOML text has too many values"}
	}
	doc := &tomlDoc{src: src, root: &tomlValue{form: objectForm, origin: fromHeader}}
	doc.table = doc.root
	doc.section = tomlPart{from: -1}
	var p unstable.Parser
	p.Reset(src)
	whole := tomlPart{from: -1, own: true, leaf: doc.root}
	for p.NextExpression() {
		from, to, err := doc.expression(p.Expression())
		if err != nil {
			return nil, err
		}
		if whole.from < 0 {
			whole.from = from
		}
		whole.to = to
	}
	if err := p.Error(); err != nil {
		return nil, badData(tomlName, "breaks its grammar", tomlOffset(src, err))
	}
	doc.endSection()
	whole.from = max(whole.from, 0)
	doc.root.parts = []tomlPart{whole}
	return doc, nil
}

// tomlOffset returns where a parser's error stands. What it points at shares
// the array of src.
func tomlOffset(src []byte, err error) int {
	at := len(src)
	if e, ok := errors.AsType[*unstable.ParserError](err); ok {
		at = cap(src) - cap(e.Highlight)
	}
	return max(0, min(at, len(src)))
}

// expression reads a header or a key with its value and returns its bytes.
func (doc *tomlDoc) expression(n *unstable.Node) (from, to int, err *Error) {
	keys := tomlKeys(n)
	if len(keys) > dataDepth {
		return 0, 0, tooDeep()
	}
	if n.Kind != unstable.KeyValue {
		return doc.header(n.Kind, keys)
	}
	from, to = int(n.Raw.Offset), int(n.Raw.Offset+n.Raw.Length)
	if err := doc.keyValue(doc.table, n, keys, 0); err != nil {
		return 0, 0, err
	}
	if doc.section.from < 0 {
		doc.section.from = from
	}
	doc.section.to = to
	return from, to, nil
}

func tomlKeys(n *unstable.Node) []tomlKey {
	var keys []tomlKey
	for it := n.Key(); it.Next(); {
		k := it.Node()
		keys = append(keys, tomlKey{string(k.Data), int(k.Raw.Offset), int(k.Raw.Offset + k.Raw.Length)})
	}
	return keys
}

func tooDeep() *Error {
	return &Error{Fault: OverLimit, Proof: "the TOML text nests too deep"}
}

// forbid notes that what stands at byte offset may not be defined there.
func (doc *tomlDoc) forbid(offset int) {
	if doc.invalid == nil {
		doc.invalid = badData(tomlName, "defines a key or table that is defined already", offset)
	}
}

// add counts and adds a value.
func (doc *tomlDoc) add(to *tomlValue, key string, v *tomlValue) *Error {
	doc.count++
	if doc.count > tomlValues {
		return &Error{Fault: OverLimit, Proof: "the TOML text has too many values"}
	}
	to.put(key, v)
	return nil
}

// header opens the table of [a.b] or [[a.b]].
func (doc *tomlDoc) header(kind unstable.Kind, keys []tomlKey) (from, to int, err *Error) {
	doc.endSection()
	from, to = doc.brackets(keys, kind == unstable.ArrayTable)
	doc.above = []*tomlValue{}
	t := doc.root
	for _, k := range keys[:len(keys)-1] {
		if t, err = doc.through(t, k); err != nil {
			return 0, 0, err
		}
	}
	last := keys[len(keys)-1]
	if kind == unstable.ArrayTable {
		t, err = doc.openElement(t, last)
	} else {
		t, err = doc.openTable(t, last)
	}
	doc.table = t
	doc.section = tomlPart{from: -1, to: to, own: true, leaf: t, shown: Range{from, to}}
	return from, to, err
}

// brackets returns the bytes of a header. Around its keys stand only white
// space and brackets.
func (doc *tomlDoc) brackets(keys []tomlKey, double bool) (from, to int) {
	width := 1
	if double {
		width = 2
	}
	from = bytes.LastIndexByte(doc.src[:keys[0].from], '[') + 1 - width
	last := keys[len(keys)-1].to
	return from, last + bytes.IndexByte(doc.src[last:], ']') + width
}

// through goes from table t through key k of a header.
func (doc *tomlDoc) through(t *tomlValue, k tomlKey) (*tomlValue, *Error) {
	child := t.get(k.text)
	switch {
	case child != nil && child.origin != fromValue && child.form == arrayForm:
		doc.above = append(doc.above, child)
		child = child.values[len(child.values)-1]
	case child == nil || child.origin == fromValue:
		if child != nil {
			doc.forbid(k.from)
		}
		child = &tomlValue{form: objectForm, origin: fromPath}
		if err := doc.add(t, k.text, child); err != nil {
			return nil, err
		}
	}
	doc.above = append(doc.above, child)
	return child, nil
}

func (doc *tomlDoc) openTable(t *tomlValue, k tomlKey) (*tomlValue, *Error) {
	child := t.get(k.text)
	if child != nil && child.origin == fromPath {
		child.origin = fromHeader
		return child, nil
	}
	if child != nil {
		doc.forbid(k.from)
	}
	child = &tomlValue{form: objectForm, origin: fromHeader}
	return child, doc.add(t, k.text, child)
}

func (doc *tomlDoc) openElement(t *tomlValue, k tomlKey) (*tomlValue, *Error) {
	list := t.get(k.text)
	if list == nil || list.form != arrayForm || list.origin != fromHeader {
		if list != nil {
			doc.forbid(k.from)
		}
		list = &tomlValue{form: arrayForm, origin: fromHeader}
		if err := doc.add(t, k.text, list); err != nil {
			return nil, err
		}
	}
	doc.above = append(doc.above, list)
	child := &tomlValue{form: objectForm, origin: fromHeader}
	return child, doc.add(list, "", child)
}

// endSection makes the body of the table that was open a part of it and of what
// is around it.
func (doc *tomlDoc) endSection() {
	s := doc.section
	if s.leaf == nil {
		return
	}
	if s.from < 0 {
		s.from = s.to
	} else {
		s.shown = Range{s.from, s.to}
	}
	doc.table.parts = append(doc.table.parts, s)
	s.own = false
	for _, t := range doc.above {
		t.parts = append(t.parts, s)
	}
}

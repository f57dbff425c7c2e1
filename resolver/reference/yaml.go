package reference

import "bytes"

// readYAML reads values and comments as running text; keys hold none. A value
// with the lines that go on with it is a scope.
func (f *finder) readYAML() {
	f.strict = true
	f.enter(nil, 0, len(f.data))
	block := -1 // the indent of the key whose block of text goes on, or none
	eachLine(f.data, 0, len(f.data), func(from, to int) {
		first := skipBlank(f.data, from, to)
		if block >= 0 && (first == to || first-from > block) {
			f.scan(first, to)
			return
		}
		block = -1
		name, value := cutKey(f.data, from, to)
		if beginsBlock(f.data[value:to]) {
			block = first - from
		}
		if name != "" || value > from && f.data[value-1] == ' ' && isDash(f.data, from, value) {
			f.enter(nil, from, len(f.data))
		}
		f.scan(value, to)
	})
}

// beginsBlock reports whether a value is the mark of a block of text: | or >
// with what may follow it.
func beginsBlock(value []byte) bool {
	if len(value) == 0 || value[0] != '|' && value[0] != '>' {
		return false
	}
	rest := bytes.TrimLeft(value[1:], "+-0123456789")
	return len(bytes.TrimSpace(rest)) == 0 || bytes.HasPrefix(bytes.TrimSpace(rest), []byte("#"))
}

// isDash reports whether the mark of a list item stands in data[from:to].
func isDash(data []byte, from, to int) bool {
	from = skipBlank(data, from, to)
	return from < to && data[from] == '-'
}

package reference

// readYAML reads values and comments as running text; keys hold none. A value
// with the lines that go on with it is a scope.
func (f *finder) readYAML() {
	f.strict = true
	f.enter(nil, 0, len(f.data))
	eachLine(f.data, 0, len(f.data), func(from, to int) {
		name, value := cutKey(f.data, from, to)
		if name != "" || value > from && f.data[value-1] == ' ' && isDash(f.data, from, value) {
			f.enter(nil, from, len(f.data))
		}
		f.scan(value, to)
	})
}

// isDash reports whether the mark of a list item stands in data[from:to].
func isDash(data []byte, from, to int) bool {
	from = skipBlank(data, from, to)
	return from < to && data[from] == '-'
}

package reference

import "bytes"

// readJSON reads the strings that are values, and comments where there are any,
// as running text, each a scope of its own. An escape ends a word.
func (f *finder) readJSON() {
	f.strict = true
	for i := 0; i < len(f.data); {
		switch f.data[i] {
		case '"':
			end := stringEnd(f.data, i)
			if !isKey(f.data, end) {
				f.enter(nil, i+1, end)
				f.scanEscaped(i+1, max(i+1, end-1))
			}
			i = end
		case '/':
			end := jsonCommentEnd(f.data, i)
			if end > i+1 {
				f.enter(nil, i, end)
				eachLine(f.data, i, end, f.scan)
			}
			i = end
		default:
			i++
		}
	}
}

// stringEnd returns the offset behind the string that begins at from; it ends
// with its line at the latest.
func stringEnd(data []byte, from int) int {
	quote := data[from]
	for i := from + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case quote, '\n':
			return i + 1
		}
	}
	return len(data)
}

// isKey reports whether a colon follows.
func isKey(data []byte, at int) bool {
	for at < len(data) && (data[at] == ' ' || data[at] == '\t') {
		at++
	}
	return at < len(data) && data[at] == ':'
}

// scanEscaped scans a string between its escapes.
func (f *finder) scanEscaped(from, to int) {
	for from < to {
		i := bytes.IndexByte(f.data[from:to], '\\')
		if i < 0 {
			break
		}
		f.scan(from, from+i)
		n := 2
		if from+i+1 < to && f.data[from+i+1] == 'u' {
			n = 6
		}
		from = min(to, from+i+n)
	}
	f.scan(from, to)
}

// jsonCommentEnd returns the offset behind the comment that begins at from, or
// behind the slash that begins none.
func jsonCommentEnd(data []byte, from int) int {
	end, closing := from+1, ""
	switch {
	case bytes.HasPrefix(data[from:], []byte("//")):
		closing = "\n"
	case bytes.HasPrefix(data[from:], []byte("/*")):
		closing = "*/"
	default:
		return end
	}
	if i := bytes.Index(data[from:], []byte(closing)); i >= 0 {
		return from + i + len(closing)
	}
	return len(data)
}

package resolver

import (
	"strings"
	"unicode/utf8"

	"ctxptr/authority"
)

const hexDigits = "0123456789ABCDEF"

// isRaw reports whether a byte stands for itself in canonical text: the
// unreserved characters of RFC 3986, and "/", ":" and "=".
func isRaw(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return strings.IndexByte("-._~/:=", c) >= 0
}

// encodeTo writes s percent-encoded.
func encodeTo(b *strings.Builder, s string) {
	for i := 0; i < len(s); i++ {
		if c := s[i]; isRaw(c) {
			b.WriteByte(c)
		} else {
			b.WriteString(escape(c))
		}
	}
}

// encode returns s percent-encoded.
func encode(s string) string {
	var b strings.Builder
	encodeTo(&b, s)
	return b.String()
}

func escape(c byte) string { return string([]byte{'%', hexDigits[c>>4], hexDigits[c&15]}) }

// encodeLast escapes a last byte that would belong to the sentence around the
// pointer.
func encodeLast(s string) string {
	if last := s[len(s)-1]; last == '.' || last == ':' {
		return s[:len(s)-1] + escape(last)
	}
	return s
}

// decode undoes percent-encoding. at is where raw begins in the pointer; the
// error is a *authority.Fault with code malformed:syntax and the offset there.
func decode(raw string, at int) (string, error) {
	if i := firstNotRaw(raw); i == len(raw) {
		return raw, nil
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '%':
			v, ok := unescape(raw[i:])
			if !ok {
				return "", syntaxAt(at+i, "a %% must be followed by two hexadecimal digits")
			}
			out = append(out, v)
			i += 2
		case !isRaw(c):
			return "", syntaxAt(at+i, "the byte 0x%02x must be percent-encoded as %s", c, escape(c))
		default:
			out = append(out, c)
		}
	}
	return string(out), nil
}

func firstNotRaw(s string) int {
	i := 0
	for i < len(s) && isRaw(s[i]) {
		i++
	}
	return i
}

func unescape(s string) (byte, bool) {
	if len(s) < 3 {
		return 0, false
	}
	high, ok1 := hexValue(s[1])
	low, ok2 := hexValue(s[2])
	return high<<4 | low, ok1 && ok2
}

func hexValue(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// rawOffset returns the offset in percent-encoded text of decoded byte n.
func rawOffset(raw string, n int) int {
	i := 0
	for ; n > 0 && i < len(raw); n-- {
		if raw[i] == '%' {
			i += 2
		}
		i++
	}
	return min(i, len(raw))
}

func syntaxAt(offset int, format string, args ...any) *authority.Fault {
	return faultAt(authority.MalformedSyntax, offset, format, args...)
}

// EncodePath returns a path as a pointer's locator spells it, percent-encoded.
func EncodePath(p string) string { return encode(p) }

// PathInJSON returns a path as it is, or percent-encoded where JSON cannot carry it,
// which is what is no UTF-8. The other one is "".
func PathInJSON(path string) (plain, uri string) {
	if !utf8.ValidString(path) {
		return "", encode(path)
	}
	return path, ""
}

// DecodePath undoes EncodePath; it takes any valid percent-encoding. The error is
// a *authority.Fault with an offset in s.
func DecodePath(s string) (string, error) { return decode(s, 0) }

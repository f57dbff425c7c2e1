package resolver

import (
	"strings"

	"ctxptr/authority"
)

// redacted stands for a password.
const redacted = "***"

// Redact returns text without the passwords of URLs in it: what stands between
// the colon and the @ before a URL's host. It sees through percent-encoding and
// the escapes of JSON, and takes text that ends before the host for a password
// cut short.
func Redact(text string) string {
	if !strings.ContainsAny(text, ":%\\") {
		return text
	}
	plain, at := unwrap(text)
	var b strings.Builder
	kept := 0
	for _, secret := range passwords(plain) {
		b.WriteString(text[kept:at[secret[0]]])
		b.WriteString(redacted)
		kept = at[secret[1]]
	}
	return b.String() + text[kept:]
}

// passwords finds every password in decoded text, as half-open ranges.
func passwords(plain string) (found [][2]int) {
	for from := 0; ; {
		i := strings.Index(plain[from:], "://")
		if i < 0 {
			return found
		}
		from += i + len("://")
		end := from + strings.IndexAny(plain[from:]+"/", "/ \t\r\n\"'<>")
		user := strings.LastIndexByte(plain[from:end], '@')
		if user < 0 && cutShort(plain[from:end]) {
			user = end - from
		}
		colon := strings.IndexByte(plain[from:end], ':')
		if colon >= 0 && colon < user {
			found = append(found, [2]int{from + colon + 1, from + user})
		}
		from = end
	}
}

// cutShort reports whether what stands for a URL's host can be a user and a
// password whose host was cut off: a port has digits only.
func cutShort(authority string) bool {
	_, port, found := strings.Cut(authority, ":")
	return found && strings.Trim(port, "0123456789") != "" && authority[0] != '['
}

// unwrap decodes the escapes of JSON and then percent-encoding, each once, and
// says for every decoded byte, and for the end, where it stands in text.
func unwrap(text string) (plain string, at []int) {
	outer, outerAt := decodeUnits(text, jsonUnit)
	plain, inner := decodeUnits(outer, percentUnit)
	at = make([]int, len(inner))
	for i, n := range inner {
		at[i] = outerAt[n]
	}
	return plain, at
}

// decodeUnits decodes text unit by unit: unit returns the byte a unit stands for
// and how long it is.
func decodeUnits(text string, unit func(string) (byte, int)) (string, []int) {
	out, at := make([]byte, 0, len(text)), make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		c, n := unit(text[i:])
		out, at = append(out, c), append(at, i)
		i += n
	}
	return string(out), append(at, len(text))
}

func percentUnit(s string) (byte, int) {
	if s[0] == '%' {
		if c, ok := unescape(s); ok {
			return c, len("%00")
		}
	}
	return s[0], 1
}

func jsonUnit(s string) (byte, int) {
	switch {
	case len(s) < 2 || s[0] != '\\':
	case s[1] != 'u':
		return s[1], 2
	case len(s) >= 6 && strings.HasPrefix(s[2:], "00"):
		if c, ok := unescape("%" + s[4:6]); ok {
			return c, 6
		}
	}
	return s[0], 1
}

// guarded is the fault about an item. Where the item's text holds a password, all
// that could repeat a part of it goes.
func (i Item) guarded(f *authority.Fault) *authority.Fault {
	if Redact(i.Text) == i.Text {
		return f
	}
	return &authority.Fault{
		Code: f.Code, Offset: f.Offset, Err: f.Err,
		Proof: "it is refused and holds a URL with a password, which is not repeated; let a credential helper supply passwords",
	}
}

package reference

import "strings"

// webAddress reads the address whose scheme ends at the colon at i and returns
// where it ends, 0 when there is no scheme before it.
func (f *finder) webAddress(p *piece, i int) int {
	start := i
	for start > p.floor && isSchemeByte(f.data[start-1]) {
		start--
	}
	if start == i || !isAlpha(f.data[start]) {
		return 0
	}
	end := f.webEnd(i+3, p.to)
	r := webReference(string(f.data[start:end]))
	f.add(r, start, end)
	f.named(r, end)
	return end
}

func isSchemeByte(c byte) bool {
	return is(c, wordByte) && c != '_' || c == '+' || c == '-' || c == '.'
}

// webEnd looks forward for the end of an address in running text: brackets must
// be balanced, and punctuation at its end belongs to the sentence.
func (f *finder) webEnd(from, to int) int {
	depth := 0
	i := from
	for ; i < to; i++ {
		c := f.data[i]
		if c <= ' ' || strings.IndexByte("<>\"`|\\^", c) >= 0 {
			break
		}
		if c == '(' || c == '[' || c == '{' {
			depth++
		}
		if c == ')' || c == ']' || c == '}' {
			if depth--; depth < 0 {
				break
			}
		}
	}
	for i > from && strings.IndexByte(".,:;!?'*_", f.data[i-1]) >= 0 {
		i--
	}
	return i
}

// webReference reads a web address: a permalink, or something elsewhere.
func webReference(address string) Reference {
	if t, ok := permalink(address); ok {
		return Reference{Form: Permalink, Target: t}
	}
	return Reference{Form: Link, Skip: webSkip(address)}
}

// webSkip is Elsewhere, or Placeholder for an address with a part that is to be
// filled in.
func webSkip(address string) Skip {
	for _, mark := range []string{"{", "<", "…", "/...", "$"} {
		if strings.Contains(address, mark) {
			return Placeholder
		}
	}
	return Elsewhere
}

// permalink reads https://host/owner/repo/blob/<40 or 64 hex>/path#L1-L9, and
// /tree/ and /commit/ in place of /blob/, with /-/ before it as GitLab has it.
func permalink(address string) (t Target, ok bool) {
	rest, ok := strings.CutPrefix(address, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(address, "http://"); !ok {
			return t, false
		}
	}
	rest, fragment := splitFragment(rest)
	rest, _, _ = strings.Cut(rest, "?")
	parts := strings.Split(rest, "/")
	for i := 3; i+1 < len(parts); i++ {
		form := parts[i]
		if form != "blob" && form != "tree" && form != "commit" || !isFullID(parts[i+1]) {
			continue
		}
		path := strings.TrimSuffix(strings.Join(parts[i+2:], "/"), "/")
		if form == "blob" && path == "" || form == "commit" && path != "" {
			return t, false
		}
		t = Target{Web: address, Revision: parts[i+1], Path: decode(path)}
		if form == "blob" {
			t.setFragment(fragment)
		}
		return t, true
	}
	return t, false
}

// isFullID reports whether text is an object id in full, of SHA-1 or SHA-256.
func isFullID(text string) bool { return (len(text) == 40 || len(text) == 64) && isHex(text) }

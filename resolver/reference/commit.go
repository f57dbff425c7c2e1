package reference

import (
	"bytes"
	"strings"
)

const (
	shortestID = 7
	longestID  = 40
	md5Length  = 32
)

// commit adds the run of hexadecimal digits data[from:to] when it is a commit
// id that stands for itself.
func (f *finder) commit(p *piece, from, to int) {
	if to-from > longestID || !isCommitID(f.data[from:to]) {
		return
	}
	if !f.beginsID(p, from) || !f.endsID(to, p.to) || f.isQuantity(p, from, to) || f.strict && f.isWholeValue(p, from, to) {
		return
	}
	f.add(Reference{Form: Commit, Target: Target{Revision: string(f.data[from:to])}}, from, to)
}

// isCommitID reports whether a run of hexadecimal digits may be a commit id. A
// short one has a digit and a letter and is no number such as 12e10000; 32 digits
// are an MD5 or a UUID.
func isCommitID(id []byte) bool {
	if len(id) == longestID {
		return true
	}
	digits, letters, e := 0, 0, 0
	for _, c := range id {
		switch {
		case is(c, digitByte):
			digits++
		case c == 'e':
			e++
			letters++
		default:
			letters++
		}
	}
	isFloat := letters == 1 && e == 1 && id[0] != 'e' && id[len(id)-1] != 'e'
	return len(id) != md5Length && digits > 0 && letters > 0 && !isFloat
}

// beginsID reports whether a commit id may begin at from: what stands before it
// makes it no part of a path, address, colour, UUID or tagged digest.
func (f *finder) beginsID(p *piece, from int) bool {
	if from == p.from {
		return true
	}
	before := f.data[p.from:from]
	switch c := before[len(before)-1]; {
	case c == '"' || c == '\'':
		return !isValueQuote(before) && !isOtherID(before)
	case strings.IndexByte(" \t`([{,;|*<>", c) >= 0:
		return !isOtherID(before)
	case c == ':' || c == '=' || c == '@':
		return isCommitWord(lastWord(before))
	}
	return false
}

// isQuantity reports whether data[from:to] is a number with a unit, as 106751d:
// digits, and one letter at their end, unless quotes or brackets set it apart.
func (f *finder) isQuantity(p *piece, from, to int) bool {
	for _, c := range f.data[from : to-1] {
		if !is(c, digitByte) {
			return false
		}
	}
	return to-from < longestID && (from == p.from || strings.IndexByte("`('\"[", f.data[from-1]) < 0) && !isCommitWord(lastWord(f.data[p.from:from]))
}

// isValueQuote reports whether the quote with which text ends begins a value:
// a colon or an equals sign stands before it.
func isValueQuote(text []byte) bool {
	text = bytes.TrimRight(text[:len(text)-1], " \\")
	return len(text) > 0 && (text[len(text)-1] == ':' || text[len(text)-1] == '=')
}

// isWholeValue reports whether data[from:to] is all that a value holds, but for
// quotes and a comment: that is no running text.
func (f *finder) isWholeValue(p *piece, from, to int) bool {
	const looked = 64
	rest, _, _ := bytes.Cut(f.data[to:min(p.to, to+looked)], []byte(" #"))
	return !bytes.ContainsFunc(f.data[max(p.from, from-looked):from], isWordRune) && !bytes.ContainsFunc(rest, isWordRune)
}

// endsID reports whether a commit id may end before at.
func (f *finder) endsID(at, to int) bool {
	if at == to {
		return true
	}
	c := f.data[at]
	switch {
	case strings.IndexByte(".:,;!?", c) >= 0:
		return at+1 == to || !is(f.data[at+1], wordByte|pathByte) && f.data[at+1] != ':'
	case c == '"' || c == '\'':
		return at+1 == to || f.data[at+1] != ':' // no key of data
	case is(c, pathByte|wordByte), c == '#', c == '\\', c == '^', c == '=', c == '&':
		return false
	}
	return true
}

// lastWord returns the last run of letters and digits of text in lower case,
// whatever is between it and the end.
func lastWord(text []byte) string {
	const longest = 24
	text = text[max(0, len(text)-longest):]
	to := bytes.LastIndexFunc(text, isWordRune) + 1
	from := bytes.LastIndexFunc(text[:to], func(r rune) bool { return !isWordRune(r) }) + 1
	return strings.ToLower(string(text[from:to]))
}

func isWordRune(r rune) bool { return r < 0x80 && is(byte(r), wordByte) }

// namesDigest reports whether a word says that what follows it is a digest of
// something else, an id of something else or a colour.
func namesDigest(word string) bool {
	switch word {
	case "md5", "sha1", "sha256", "sha512", "blake3", "checksum", "digest", "uuid", "guid", "crc32", "etag", "integrity", "color", "colour", "hex", "index", "bearer", "token", "revises":
		return true
	}
	return false
}

// isOtherID reports whether text ends in words that say that what follows is an
// id, and not a commit's.
func isOtherID(text []byte) bool {
	const looked, mostIDs = 24, 3
	word := lastWord(text)
	for n := 0; n < mostIDs && isHexID(word) && bytes.HasSuffix(text, []byte(", ")); n++ {
		text = bytes.TrimRight(bytes.TrimSuffix(text, []byte(", ")), "0123456789abcdef`") // one of several
		word = lastWord(text)
	}
	return namesDigest(word) || word == "id" && !bytes.Contains(bytes.ToLower(text[max(0, len(text)-looked):]), []byte("commit"))
}

// isCommitWord reports whether a word says that a commit id follows it.
func isCommitWord(word string) bool {
	switch word {
	case "commit", "commits", "sha", "rev", "revision", "head", "base", "ref", "baseline", "baseline_commit", "base_commit", "git_commit", "commit_sha", "head_sha", "base_sha":
		return true
	}
	return strings.HasSuffix(word, "_commit") || strings.HasSuffix(word, "_sha")
}

// isHexID reports whether text is a commit id, full or abbreviated.
func isHexID(text string) bool {
	return len(text) >= shortestID && len(text) <= longestID && isHex(text) && isCommitID([]byte(text))
}

// isHex reports whether text is nothing but hexadecimal digits, lower case.
func isHex(text string) bool {
	for i := range len(text) {
		if !is(text[i], hexByte) {
			return false
		}
	}
	return true
}

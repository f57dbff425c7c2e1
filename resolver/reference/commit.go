package reference

import (
	"bytes"
	"strings"
)

const (
	shortestID = 7
	longestID  = 40
	md5Length  = 32
	mostDots   = 3 // of a range
)

// commit adds the run of hexadecimal digits data[from:to] when it is a commit
// id that stands for itself.
func (f *finder) commit(p *piece, from, to int) {
	if to-from > longestID || !isCommitID(f.data[from:to]) {
		return
	}
	if !f.beginsID(p, from) || !f.endsID(to, p.to) {
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
	case strings.IndexByte(" \t`([{,;'\"|*<>", c) >= 0:
		return !namesDigest(lastWord(before))
	case c == ':' || c == '=' || c == '@':
		return isCommitWord(lastWord(before))
	}
	return false
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
	case "md5", "sha1", "sha256", "sha512", "blake3", "checksum", "digest", "uuid", "guid", "crc32", "etag", "integrity", "color", "colour", "hex":
		return true
	}
	return false
}

// isCommitWord reports whether a word says that a commit id follows it.
func isCommitWord(word string) bool {
	switch word {
	case "commit", "commits", "sha", "rev", "revision", "head", "base", "ref", "baseline", "baseline_commit", "base_commit", "git_commit", "commit_sha", "head_sha", "base_sha":
		return true
	}
	return strings.HasSuffix(word, "_commit") || strings.HasSuffix(word, "_sha")
}

// commitRange reads BASE..HEAD or BASE...HEAD around the dots at i and returns
// where it ends, 0 when it is none.
func (f *finder) commitRange(p *piece, i int) int {
	right := i
	for right < p.to && right-i <= mostDots && f.data[right] == '.' {
		right++
	}
	if right-i > mostDots || i > p.from && f.data[i-1] == '.' {
		return 0
	}
	start, end := f.revisionStart(p.floor, i), f.revisionEnd(right, p.to)
	base, head := string(f.data[start:i]), string(f.data[right:end])
	if base == "" || head == "" || !f.beginsID(p, start) {
		return 0
	}
	r := Reference{Form: Range, Target: Target{Range: base + string(f.data[i:right]) + head}}
	switch {
	case isRangePlaceholder(base) || isRangePlaceholder(head):
		r.Skip = Placeholder
	case !isRevision(base) || !isRevision(head) || !statesRevision(base) && !statesRevision(head):
		return 0
	}
	f.add(r, start, end)
	return end
}

// revisionStart looks back for the beginning of a revision, not over two dots.
func (f *finder) revisionStart(floor, to int) int {
	i := to
	for i > floor && isRevisionByte(f.data[i-1]) && !(f.data[i-1] == '.' && i-1 > floor && f.data[i-2] == '.') {
		i--
	}
	return i
}

// revisionEnd looks forward for the end of a revision, which ends in no dot and
// holds no two.
func (f *finder) revisionEnd(from, to int) int {
	i := from
	for i < to && isRevisionByte(f.data[i]) && !(f.data[i] == '.' && (i+1 == to || !is(f.data[i+1], wordByte))) {
		i++
	}
	return i
}

func isRevisionByte(c byte) bool {
	return is(c, wordByte) || strings.IndexByte("-./~^{}<>@$", c) >= 0
}

// isRangePlaceholder reports whether one side of a range is to be filled in:
// {BASE_SHA}, <base>, $BASE, BASE.
func isRangePlaceholder(side string) bool {
	if strings.ContainsAny(side, "{<$") {
		return len(strings.Trim(side, "{}<>$")) > 1
	}
	switch side {
	case "BASE", "BASE_SHA", "HEAD_SHA", "FROM", "TO", "START", "END", "OLD", "NEW", "BASE_COMMIT", "HEAD_COMMIT", "BASELINE":
		return true
	}
	return false
}

// isRevision reports whether text can be a revision: a name that begins and ends
// in a letter or digit, with ~2 or ^ behind it.
func isRevision(text string) bool {
	name := strings.TrimRight(text, "0123456789~^")
	if strings.ContainsAny(text, "{}<>$@") || text[0] == '.' || text[0] == '/' || text[0] == '-' {
		return false
	}
	return text == name || name == "" || is(name[len(name)-1], wordByte) || strings.ContainsAny(text, "~^") || is(text[len(text)-1], digitByte)
}

// statesRevision reports whether text is a revision beyond doubt: a commit id,
// HEAD, a branch that everyone has, a remote's, a version's tag.
func statesRevision(text string) bool {
	name, _, _ := strings.Cut(text, "~")
	name, _, _ = strings.Cut(name, "^")
	switch name {
	case "HEAD", "ORIG_HEAD", "FETCH_HEAD", "main", "master", "develop", "trunk":
		return true
	}
	if strings.HasPrefix(name, "origin/") || strings.HasPrefix(name, "upstream/") || strings.HasPrefix(name, "refs/") {
		return true
	}
	return isHexID(name) || isVersionTag(name)
}

func isHexID(text string) bool {
	if len(text) < shortestID || len(text) > longestID {
		return false
	}
	for i := range len(text) {
		if !is(text[i], hexByte) {
			return false
		}
	}
	return isCommitID([]byte(text))
}

// isVersionTag reports whether text is v1.2 or the like.
func isVersionTag(text string) bool {
	return len(text) > 3 && text[0] == 'v' && is(text[1], digitByte) && strings.Contains(text, ".")
}

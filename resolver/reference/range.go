package reference

import "strings"

// mostDots are the dots of a range.
const mostDots = 3

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
	case isSide(base) && isSide(head) && (isRangePlaceholder(base) || isRangePlaceholder(head)):
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
// {BASE_SHA}, <base>, $BASE, BASE, baseline_revision, HEAD~N.
func isRangePlaceholder(side string) bool {
	if strings.HasSuffix(side, "~N") || strings.HasSuffix(side, "~n") {
		return true
	}
	name := strings.TrimRight(strings.TrimLeft(side, "{<$"), "}>")
	if strings.ContainsFunc(name, func(r rune) bool { return !isWordRune(r) && r != '-' }) {
		return false
	}
	if !namesSide(strings.ToLower(name)) {
		return false
	}
	opened, closed := strings.IndexByte("{<$", side[0]) >= 0, strings.IndexByte("}>", side[len(side)-1]) >= 0
	if opened || closed {
		return opened && (closed || side[0] == '$')
	}
	return side == strings.ToUpper(side) && side != "HEAD" || strings.Contains(side, "_")
}

// isSide reports whether one side of a range is to be filled in or a revision.
func isSide(side string) bool { return isRangePlaceholder(side) || isRevision(side) }

// namesSide reports whether a placeholder's name speaks of a commit.
func namesSide(name string) bool {
	for _, part := range []string{"base", "head", "sha", "commit", "from", "old", "new", "start", "end", "prev", "last", "first", "rev", "hash", "tag", "branch", "ref", "before", "after", "parent"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "to"
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

// isVersionTag reports whether text is v1.2 or the like.
func isVersionTag(text string) bool {
	return len(text) > 3 && text[0] == 'v' && is(text[1], digitByte) && strings.Contains(text, ".")
}

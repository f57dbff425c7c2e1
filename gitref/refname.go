package gitref

import "strings"

// ValidRefName reports whether git-check-ref-format(1) allows the name with
// --allow-onelevel.
func ValidRefName(name string) bool {
	if name == "" || name == "@" || strings.HasSuffix(name, ".") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c <= ' ' || c == 0x7f || strings.IndexByte("~^:?*[\\", c) >= 0 {
			return false
		}
		if i > 0 && (c == '.' && name[i-1] == '.' || c == '{' && name[i-1] == '@') {
			return false
		}
	}
	return true
}

// isRootRef tells a ref that lives directly in the git folder: HEAD,
// FETCH_HEAD, ORIG_HEAD and the like.
func isRootRef(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return false
		}
	}
	return name != ""
}

// perWorktree tells a ref that every worktree has of its own
// (gitrepository-layout(5), git-worktree(1) "REFS").
func perWorktree(name string) bool {
	return isRootRef(name) || strings.HasPrefix(name, "refs/bisect/") ||
		strings.HasPrefix(name, "refs/worktree/") || strings.HasPrefix(name, "refs/rewritten/")
}

// fullRefName tells a name that stands for itself: refs/…, a root ref, or one of
// another worktree.
func fullRefName(name string) bool {
	return isRootRef(name) || strings.HasPrefix(name, "refs/") ||
		strings.HasPrefix(name, "main-worktree/") || strings.HasPrefix(name, "worktrees/")
}

// refRules are the places git looks a short name up in, in order
// (gitrevisions(7), "<refname>").
var refRules = [...]struct{ before, after string }{
	{"", ""}, {"refs/", ""}, {"refs/tags/", ""}, {"refs/heads/", ""}, {"refs/remotes/", ""}, {"refs/remotes/", "/HEAD"},
}

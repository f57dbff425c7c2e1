package authority

import (
	"strings"

	"ctxptr/gitref"
)

// The commands below supply a proof that is missing, each from any folder of the working
// tree of its repository.

// command is a command of git for the repository of the place, run at the root.
func (at place) command(argv []string) []string {
	if at.inner == "" {
		return argv
	}
	return append([]string{argv[0], "-C", at.inner}, argv[1:]...)
}

// deepen supplies the history that a shallow clone lacks.
func deepen() []string { return []string{"git", "fetch", "--unshallow"} }

// fetchObject supplies an object that a partial clone lacks, and those by which a
// revision names it.
func fetchObject(rev string) []string { return []string{"git", "cat-file", "-e", rev} }

// fetchTrees supplies the trees in which two commits differ.
func fetchTrees(base, head string) []string {
	return []string{"git", "diff-tree", "-r", "--no-renames", base, head}
}

// fetchCommit supplies every tree and blob of a commit: those that the empty tree, which
// git always has, does not hold.
func fetchCommit(id gitref.OID) []string {
	empty := gitref.EmptyTree(len(id.Bytes()))
	return []string{"git", "diff-tree", "-r", "--shortstat", empty.String(), id.String()}
}

// checkOut supplies what sparse-checkout leaves out, whether it goes by folders or by
// patterns. From HEAD, since git finds nothing by its path in a sparse index.
func checkOut(path string) []string {
	return []string{"git", "restore", "--ignore-skip-worktree-bits", "--source=HEAD", "--", pathspec(path)}
}

// initSubmodule supplies the working tree of a submodule.
func initSubmodule(path string) []string {
	return []string{"git", "submodule", "update", "--init", "--", pathspec(path)}
}

// pathspec is what git takes for exactly this path from the top of the working tree. The
// short form takes many a first byte for magic.
func pathspec(path string) string {
	if path == "" || !plainFirst(path[0]) || strings.ContainsAny(path, `*?[\`) {
		return ":(top,literal)" + path
	}
	return ":/" + path
}

// plainFirst reports whether a path that begins with a byte can stand behind :/ as it is.
func plainFirst(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.'
}

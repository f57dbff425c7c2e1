// Package gitref answers questions about a git repository exactly as the git
// binary would, or says which proof is missing. It never writes, runs nothing
// that a repository's own configuration names, and keeps no state between runs.
//
// A Repo is opened once for a batch. Every object it returns has had its id
// recomputed from the bytes that were read.
//
// Start with repo.go, which finds a repository (discover.go, safety.go) and chooses
// what answers for its objects and refs, and errors.go for what can be wrong. From
// there every question has its file:
//
//   - an object: objectread.go, and store.go below it, which looks through packs
//     (packdir.go, pack.go, chain.go) and loose objects (loose.go);
//   - a ref: refs.go and, for tables, reftablestack.go; a revision: revision.go;
//   - a path: lookup.go in a tree, index.go in the index;
//   - what two trees differ in: diff.go;
//   - ancestry: history.go and walk.go; the commits that changed a path: pathlog.go;
//   - a working tree: worktreewalk.go, with ignore.go for what counts in it and
//     convert.go for the form in which git would store it;
//   - another repository: remote.go.
//
// What is not read natively is asked of the installed git, within the limits of
// gitcmd.go.
package gitref

// Package gitref answers questions about a git repository exactly as the git
// binary would, or says which proof is missing. It never writes, runs nothing
// that a repository's own configuration names, and keeps no state between runs.
//
// A Repo is opened once for a batch. Every object it returns has had its id
// recomputed from the bytes that were read.
package gitref

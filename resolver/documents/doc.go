// Package documents deals with the pointers, pins and plain references that stand
// in a repository's documents: it finds them, proves them as one batch, pins plain
// references, and writes down what a refresh proved.
//
// A document is any text file. Pointers stand in its text; a pin gives a plain
// reference an identity from outside, in a pins file (package pins). Scan collects
// all of them, and everything else works on what it found.
//
// Start with scan.go, then check.go and pin.go. accept.go writes in rounds (wave.go),
// what others depend on first (order.go); who.go says what points at a target.
package documents

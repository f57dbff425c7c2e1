// Package report renders what a run found for continuous integration: one
// neutral, data-only result, and one file for each format that it is written in.
// What stands in a document, in a pointer or in a file's name belongs to whoever
// wrote it: no format lets it become more than text.
//
// Start with report.go for the result and how it is made of records, then format.go
// for the table of formats. text.go is the text of a record, which commands print and
// every format repeats.
package report

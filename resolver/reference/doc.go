// Package reference finds the references that stand in documents: canonical
// pointers, and every plain form in which people and tools write down where
// something is (links, path:line, permalinks, imports, commit ids). It reads
// bytes and nothing else: whether a target exists is for others to prove.
//
// Start with reference.go for what is found and find.go for how; syntax.go says how
// each kind of document is read, text.go what looks for the forms in running text.
//
// # Where
//
// Pointers are found everywhere. Plain forms are found in Markdown outside code
// blocks, in comments and docstrings of source code, in comments and values of
// YAML, JSON and TOML, and in plain text, which every other text is. In code
// blocks of Markdown they are samples: in public plans these are commands, output
// and code to be written, and their lines are of no file that exists. A code span
// is running text, for that is where people write paths. The text of a link is
// not looked at: its destination says what is meant.
//
// # What is none
//
// A path alone is no reference in running text, whatever it looks like, nor is a
// placeholder alone ({{TASK_ID}}): only a form is, and then a placeholder in it
// makes it one to skip. Links, and the attributes href and src of HTML, are found
// in Markdown only. A destination that is empty or # names nothing.
//
// A path before a line number is one that has a slash and an extension, an
// extension or name that is well known, or three segments (two in a code span, or
// a leading ./); not a host, nor in data an image's name. Before #name the
// extension must be well known.
//
// # Continuations
//
// A bare :12 or :12-34 continues the path named last before it in the same
// paragraph, heading or table row of Markdown; in a paragraph of a list item else
// the last one in the paragraphs before it of that item, and of the items around
// it, nearest first. In plain text it is the same paragraph or list item, in source
// code comments on lines that follow one another, in data one value. A reference
// that has a path names it, and so does a path alone with a well-known extension
// that is no more than 1 KiB before; behind such a one a number that servers
// listen on (:8080) is none. :12: is none. In path:12,34 the 34 is a continuation, and in
// (path:12, 34 and 40-50) those behind the commas and and are, when a bracket or
// backtick closes the list.
//
// # Commit ids
//
// 40 hexadecimal digits, or 7 to 39 in lower case with a digit and a letter, that
// stand for themselves: no part of a word, path, UUID, colour or tagged digest, not
// behind a word that says they are another id, no number with a unit or exponent,
// not 32, which is a digest; in data not the whole of a value.
package reference

package gitref

// NoteShallow is the note of a repository whose history has a boundary.
const NoteShallow = "shallow"

// ValidRefName reports whether git-check-ref-format(1) allows the name.
func ValidRefName(name string) bool { return validRefName(name) }

package gitref

import (
	"bytes"
	"context"
)

// Subject returns the first paragraph of a commit's message as one line, as git
// log --format=%s prints it, in the bytes that are recorded. Errors are those of
// Commit.
func (r *Repo) Subject(ctx context.Context, id OID) (string, error) {
	if err := alive(ctx); err != nil {
		return "", err
	}
	obj, err := r.readAs(id, CommitObject)
	if err != nil {
		return "", err
	}
	_, message, _ := bytes.Cut(obj.Data, []byte("\n\n"))
	var subject []byte
	for line := range bytes.Lines(message) {
		line = bytes.TrimRight(line, " \t\r\n\v\f")
		switch {
		case len(line) == 0 && subject != nil:
			return string(subject), nil
		case len(line) == 0:
			continue
		case subject != nil:
			subject = append(subject, ' ')
		}
		subject = append(subject, line...)
	}
	return string(subject), nil
}

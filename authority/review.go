package authority

import (
	"slices"
	"strings"
)

// reviewHeader begins every record of the format review-identity-v1.
const reviewHeader = "review-identity-v1\n"

// ReviewHash returns the sha256 identity of a record of the format
// review-identity-v1: the header, then the label and each field in order, framed
// as decimal length, colon, bytes.
func ReviewHash(label string, fields []string) Identity {
	c := newComposer(SHA256, reviewHeader)
	c.frame(label)
	for _, f := range fields {
		c.frame(f)
	}
	return c.identity()
}

// ReviewFile is one file of a review: its path and the sha256 of its raw bytes.
type ReviewFile struct {
	Path    string
	Content Identity
}

// ReviewFields are the fields of a record about files: path and hexadecimal
// digest of each, sorted by the bytes of the path. A path that stands twice is a
// *Fault with code malformed:authority.
func ReviewFields(files []ReviewFile) ([]string, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b ReviewFile) int { return strings.Compare(a.Path, b.Path) })
	fields := make([]string, 0, 2*len(files))
	for i, f := range files {
		if i > 0 && files[i-1].Path == f.Path {
			return nil, fault(MalformedAuthority, "%s stands twice among the inputs; each file of a review stands once", Quote(f.Path))
		}
		fields = append(fields, f.Path, f.Content.Hex())
	}
	return fields, nil
}

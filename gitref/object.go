package gitref

// ObjectType is a git object's type as git spells it.
type ObjectType string

// The four object types.
const (
	CommitObject ObjectType = "commit"
	TreeObject   ObjectType = "tree"
	BlobObject   ObjectType = "blob"
	TagObject    ObjectType = "tag"
)

// Object is one object whose id has been recomputed from Data.
type Object struct {
	OID  OID
	Type ObjectType
	Data []byte // the body, without git's header; shared, not to be changed
}

// Mode is the mode of a tree or index entry as git records it, such as 0o100644.
type Mode uint32

// The modes of tree and index entries (git-fast-import(1), "filemodify").
const (
	ModeTree       Mode = 0o040000
	ModeFile       Mode = 0o100644
	ModeExecutable Mode = 0o100755
	ModeSymlink    Mode = 0o120000
	ModeGitlink    Mode = 0o160000
)

// Entry is what a tree says of one path.
type Entry struct {
	Mode Mode
	OID  OID
}

// objectSource answers for objects by id: the native store, or the git binary
// where the repository cannot be read natively. Errors are *Error.
type objectSource interface {
	// stat returns type and size in bytes of the body without reading all of it.
	stat(id OID) (ObjectType, int64, error)
	// read returns the object after recomputing its id; a body over limit bytes
	// is OverLimit, refused before it is inflated.
	read(id OID, limit int64) (Object, error)
	// expand returns every object id that starts with the hexadecimal prefix
	// (4 digits or more), sorted.
	expand(prefix string) ([]OID, error)
	close() error
}

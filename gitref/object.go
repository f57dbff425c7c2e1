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

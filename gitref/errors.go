package gitref

// A Fault says why a git fact could not be proven. The set is closed.
type Fault uint8

// The faults, each with what it means.
const (
	_                 Fault = iota
	NoRepository            // no git repository encloses the folder
	Unsupported             // a format or extension that cannot be read here
	NotOwned                // the repository belongs to another user and safe.directory does not name it
	Denied                  // the operating system refused to read a file of the repository
	Corrupt                 // bytes of the repository contradict themselves, or an object its own id
	BadRevision             // text that is no revision by the grammar of gitrevisions(7)
	NoRevision              // a well-formed revision that names nothing
	AmbiguousRevision       // an abbreviated id that several objects share
	NoRef                   // no ref of that name
	AmbiguousRef            // a short name that two ref rules match
	BrokenRef               // a ref that exists but holds no usable value (empty, garbage, a symref loop)
	NoObject                // the object is in no store of the repository
	NotLocal                // a partial clone promised the object, its bytes are elsewhere
	WrongType               // the object exists, and is of another type than was asked for
	NoPath                  // the tree or index has no entry of that path
	InSubmodule             // the path lies inside a submodule
	Shallow                 // the answer lies beyond a shallow boundary
	OverLimit               // a bound on bytes, entries or time was reached
	UnknownConversion       // an attribute names a conversion that is not computed here
	Irregular               // a pipe, socket or device stands where a file would
	Changed                 // a file or folder changed while it was read
	BadURL                  // text that is no URL of another repository that may be asked
	Unreachable             // another repository could not be asked, or did not answer as git does
)

// Error is the error of every operation of this package.
type Error struct {
	Fault      Fault
	Subject    string   // the ref, revision, path, object id or extension at fault; never file content
	Proof      string   // one sentence: the proof that is missing
	Candidates []string // for the ambiguous faults: every meaning, as full ref names or full object ids
	Err        error    // the cause, nil when there is none
}

func (e *Error) Error() string {
	if e.Subject == "" {
		return e.Proof
	}
	return e.Subject + ": " + e.Proof
}

func (e *Error) Unwrap() error { return e.Err }

// faultIn is the fault of err, 0 for none.
func faultIn(err error) Fault {
	if err == nil {
		return 0
	}
	return faultOf(err)
}

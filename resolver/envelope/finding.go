package envelope

// Finding is one thing that is wrong with a document, or that is to be known of it.
type Finding struct {
	Pointer string // JSON Pointer of the value that it is about, "" for the whole document
	Code    string // what kind of fault it is, of a closed set
	Message string // one sentence, without content of the document beyond names
	Line    int    // where the value stands, from 1; 0 when that is not known
	Column  int    // in bytes, from 1; 0 when that is not known
	Advice  bool   // it is information and fails nothing
}

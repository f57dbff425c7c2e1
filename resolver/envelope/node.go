package envelope

import (
	"strconv"
	"strings"
)

// node is one value of a JSON document, with its place.
type node struct {
	kind     byte   // '{' '[' '"' '0' 't' 'f' 'n', as jsontext.Kind
	from, to int    // bytes of the document
	text     string // a string decoded, a number as it is written
	members  []member
	items    []*node
	up       *node // nil for the document itself
	key      string
	index    int  // in up, when that is an array
	pointer  bool // a Context Pointer stands here
	bare     bool // a text that stands in the file without quotation marks
}

// member is a key of an object with its value.
type member struct {
	at    int // byte of the key
	value *node
}

// get returns the value of an object's key, the first when it stands twice; nil
// when there is none or n is no object.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		if m.value.key == key {
			return m.value
		}
	}
	return nil
}

// str returns the text of a string, "" of anything else.
func (n *node) str() string {
	if n == nil || n.kind != '"' {
		return ""
	}
	return n.text
}

// list returns the elements of an array, none of anything else.
func (n *node) list() []*node {
	if n == nil {
		return nil
	}
	return n.items
}

// maxPath is how many bytes of a JSON Pointer are printed: a document may have any
// number of values below one long key, or very deep in each other.
const maxPath = 1000

// path returns the JSON Pointer of the value. A longer one than is printed is cut
// and ends in three dots; line and column tell the value all the same.
func (n *node) path() string {
	var way []*node
	for ; n.up != nil; n = n.up {
		way = append(way, n)
	}
	var b strings.Builder
	for i := len(way) - 1; i >= 0; i-- {
		step := way[i].key[:min(len(way[i].key), maxPath)]
		if way[i].up.kind == '[' {
			step = strconv.Itoa(way[i].index)
		}
		b.WriteByte('/')
		b.WriteString(escapeStep(step))
		if len(step) < len(way[i].key) && way[i].up.kind != '[' || b.Len() > maxPath {
			cut := strings.ToValidUTF8(b.String()[:min(b.Len(), maxPath)], "")
			return strings.TrimSuffix(cut, "~") + "..."
		}
	}
	return b.String()
}

// escapeStep escapes one reference token of a JSON Pointer (RFC 6901, section 3).
func escapeStep(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

// at returns the innermost value that holds a byte of the document.
func (n *node) at(offset int) *node {
	for {
		inner := n.child(offset)
		if inner == nil {
			return n
		}
		n = inner
	}
}

func (n *node) child(offset int) *node {
	for _, m := range n.members {
		if m.value.from <= offset && offset < m.value.to {
			return m.value
		}
	}
	for _, item := range n.items {
		if item.from <= offset && offset < item.to {
			return item
		}
	}
	return nil
}

// texts calls yield for every string that stands where no Context Pointer does,
// in order of place.
func (n *node) texts(yield func(*node)) {
	if n.pointer {
		return
	}
	if n.kind == '"' {
		yield(n)
	}
	for _, m := range n.members {
		m.value.texts(yield)
	}
	for _, item := range n.items {
		item.texts(yield)
	}
}

// typeName is the type of a value in a sentence.
func (n *node) typeName() string {
	switch n.kind {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case '0':
		return "number"
	case 'n':
		return "null"
	}
	return "boolean"
}

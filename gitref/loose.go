package gitref

import (
	"bytes"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strconv"
)

var errLoose = errors.New("the loose object is malformed")

// maxLooseHead is the longest "type size\0" git reads (object-file.c).
const maxLooseHead = 32

// loosePath is where an object directory keeps id when it is loose.
func loosePath(dir string, id OID) string {
	var name [65]byte
	n := hex.Encode(name[:], id.sum[:1])
	name[n] = filepath.Separator
	n += 1 + hex.Encode(name[n+1:], id.sum[1:id.size])
	return dir + string(filepath.Separator) + string(name[:n])
}

// looseHead is the decoded head of a loose object.
type looseHead struct {
	kind uint8
	size int64 // of the body
	len  int   // of the head itself, with its NUL
}

// parseLooseHead decodes "type size\0" as strictly as git does: a known type,
// one space, decimal digits without a leading zero.
func parseLooseHead(b []byte) (looseHead, error) {
	b = b[:min(len(b), maxLooseHead)]
	text, _, ok := bytes.Cut(b, []byte{0})
	typ, digits, ok2 := bytes.Cut(text, []byte{' '})
	if !ok || !ok2 || len(digits) == 0 || digits[0] == '0' && len(digits) > 1 {
		return looseHead{}, errLoose
	}
	kind, ok := parseKind(typ)
	if !ok {
		return looseHead{}, errLoose
	}
	var size int64
	for _, c := range digits {
		if c < '0' || c > '9' || size > (1<<62)/10 {
			return looseHead{}, errLoose
		}
		size = size*10 + int64(c-'0')
	}
	return looseHead{kind, size, len(text) + 1}, nil
}

func parseKind(typ []byte) (uint8, bool) {
	switch string(typ) {
	case "commit":
		return kindCommit, true
	case "tree":
		return kindTree, true
	case "blob":
		return kindBlob, true
	case "tag":
		return kindTag, true
	}
	return 0, false
}

// appendHead appends the head that is hashed before an object's body.
func appendHead(b []byte, t ObjectType, size int64) []byte {
	b = append(b, t...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, size, 10)
	return append(b, 0)
}

// statLoose decodes the head of the loose object in v.
func statLoose(v *view) (looseHead, error) {
	n := v.size
	if v.file != nil {
		n = min(n, 4096)
	}
	src, err := v.slice(0, n)
	if err != nil {
		return looseHead{}, err
	}
	var buf [maxLooseHead]byte
	got, err := inflateHead(buf[:], src)
	if err != nil {
		return looseHead{}, err
	}
	return parseLooseHead(buf[:got])
}

// readLoose returns head and body of the loose object in v as one slice, the
// very bytes its id is the hash of.
func readLoose(v *view, limit int64) (looseHead, []byte, error) {
	h, err := statLoose(v)
	if err != nil {
		return h, nil, err
	}
	if h.size/maxInflateRatio > v.size {
		return h, nil, errLoose
	}
	if h.size > limit {
		return h, nil, errOverLimit
	}
	src, err := v.all()
	if err != nil {
		return h, nil, err
	}
	data := make([]byte, int64(h.len)+h.size)
	used, err := inflate(data, src)
	if err == nil && used != len(src) {
		err = errLoose
	}
	return h, data, err
}

// expandLoose calls f with each loose object of dir that p covers.
func expandLoose(dir string, p idPrefix, f func(raw []byte)) error {
	names, err := readNames(filepath.Join(dir, p.digits[:2]))
	if vanished(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range names {
		raw, err := hex.DecodeString(p.digits[:2] + name)
		if err == nil && len(raw) == int(p.low.size) && p.covers(raw) {
			f(raw)
		}
	}
	return nil
}

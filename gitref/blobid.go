package gitref

import (
	"crypto/sha1"
	"crypto/sha256"
	"hash"
	"strconv"
)

// BlobOID is git's id of a blob with these bytes. size is the length of an
// object id in the repository's object format: 20 for SHA-1, 32 for SHA-256.
func BlobOID(data []byte, size int) OID { return objectID(BlobObject, data, size) }

// objectID hashes an object: "type SP size NUL" and the body.
func objectID(t ObjectType, data []byte, size int) OID {
	h := newHash(size)
	head := make([]byte, 0, 32)
	head = append(head, t...)
	head = append(head, ' ')
	head = strconv.AppendInt(head, int64(len(data)), 10)
	h.Write(append(head, 0))
	h.Write(data)
	id := OID{size: uint8(size)}
	h.Sum(id.sum[:0])
	return id
}

func newHash(size int) hash.Hash {
	if size == sha256.Size {
		return sha256.New()
	}
	return sha1.New()
}

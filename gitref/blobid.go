package gitref

import (
	"crypto/sha1"
	"crypto/sha256"
	"hash"
)

// BlobOID is git's id of a blob with these bytes. size is the length of an
// object id in the repository's object format: 20 for SHA-1, 32 for SHA-256.
func BlobOID(data []byte, size int) OID { return objectID(BlobObject, data, size) }

// The length in bytes of an object id, and of the checksums of a repository's files, in
// each object format.
const (
	sha1Size   = sha1.Size
	sha256Size = sha256.Size
)

// objectID hashes an object: "type SP size NUL" and the body.
func objectID(t ObjectType, data []byte, size int) OID {
	var head [maxLooseHead]byte
	return sumOf(size, appendHead(head[:0], t, int64(len(data))), data)
}

// sumOf is the id that the parts of an object have together.
func sumOf(size int, parts ...[]byte) OID {
	h := newHash(size)
	for _, part := range parts {
		h.Write(part)
	}
	id := OID{size: uint8(size)}
	h.Sum(id.sum[:0])
	return id
}

func newHash(size int) hash.Hash {
	if size == sha256Size {
		return sha256.New()
	}
	return sha1.New()
}

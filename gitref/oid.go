package gitref

import (
	"encoding/hex"
	"fmt"
)

// OID is a git object id: 20 bytes (SHA-1) or 32 bytes (SHA-256). It is
// comparable; the zero OID names nothing.
type OID struct {
	sum  [32]byte
	size uint8
}

// ParseOID parses a full object id: 40 or 64 lower-case hexadecimal digits.
func ParseOID(s string) (OID, error) {
	if len(s) != 40 && len(s) != 64 {
		return OID{}, fmt.Errorf("object id has %d characters, want 40 or 64", len(s))
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return OID{}, fmt.Errorf("object id has a byte that is no lower-case hexadecimal digit at %d", i)
		}
	}
	var id OID
	n, err := hex.Decode(id.sum[:], []byte(s))
	if err != nil {
		return OID{}, err
	}
	id.size = uint8(n)
	return id, nil
}

// oidFromBytes makes an OID of the 20 or 32 raw bytes of an object id.
func oidFromBytes(b []byte) (OID, error) {
	if len(b) != 20 && len(b) != 32 {
		return OID{}, fmt.Errorf("object id has %d bytes, want 20 or 32", len(b))
	}
	var id OID
	id.size = uint8(copy(id.sum[:], b))
	return id, nil
}

// Bytes returns the raw bytes of the id, 20 or 32 of them (none for the zero
// OID).
func (id OID) Bytes() []byte { return append([]byte(nil), id.sum[:id.size]...) }

// IsZero reports whether id names nothing: the zero OID, or git's null id.
func (id OID) IsZero() bool { return id.sum == [32]byte{} }

// String returns the id in lower-case hexadecimal, empty for the zero OID.
func (id OID) String() string { return hex.EncodeToString(id.sum[:id.size]) }

// AppendHex appends what String returns.
func (id OID) AppendHex(b []byte) []byte { return hex.AppendEncode(b, id.sum[:id.size]) }

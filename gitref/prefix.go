package gitref

import (
	"encoding/hex"
	"strings"
)

// minPrefix is the shortest abbreviation git accepts (MINIMUM_ABBREV).
const minPrefix = 4

// idPrefix is an abbreviated object id.
type idPrefix struct {
	digits string // lower case
	low    OID    // the lowest id it covers
}

// parsePrefix parses hexadecimal digits of either case, from 4 to as many as an id of
// hashSize bytes has.
func parsePrefix(s string, hashSize int) (idPrefix, bool) {
	if len(s) < minPrefix || len(s) > 2*hashSize {
		return idPrefix{}, false
	}
	p := idPrefix{digits: strings.ToLower(s), low: OID{size: uint8(hashSize)}}
	padded := p.digits + strings.Repeat("0", 2*hashSize-len(s))
	if _, err := hex.Decode(p.low.sum[:], []byte(padded)); err != nil {
		return idPrefix{}, false
	}
	return p, true
}

// covers reports whether the raw id starts with the prefix.
func (p idPrefix) covers(raw []byte) bool {
	n := len(p.digits)
	if string(raw[:n/2]) != string(p.low.sum[:n/2]) {
		return false
	}
	return n%2 == 0 || raw[n/2]>>4 == p.low.sum[n/2]>>4
}

package gitref

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"
)

// minPrefix is the shortest abbreviation git accepts (MINIMUM_ABBREV).
const minPrefix = 4

// idPrefix is an abbreviated object id.
type idPrefix struct {
	digits string          // lower case
	low    [sha1.Size]byte // the lowest id it covers
}

// parsePrefix parses 4 to 40 hexadecimal digits of either case.
func parsePrefix(s string) (idPrefix, bool) {
	if len(s) < minPrefix || len(s) > 2*sha1.Size {
		return idPrefix{}, false
	}
	p := idPrefix{digits: strings.ToLower(s)}
	padded := p.digits + strings.Repeat("0", 2*sha1.Size-len(s))
	if _, err := hex.Decode(p.low[:], []byte(padded)); err != nil {
		return idPrefix{}, false
	}
	return p, true
}

// covers reports whether the raw id starts with the prefix.
func (p idPrefix) covers(raw []byte) bool {
	n := len(p.digits)
	if string(raw[:n/2]) != string(p.low[:n/2]) {
		return false
	}
	return n%2 == 0 || raw[n/2]>>4 == p.low[n/2]>>4
}

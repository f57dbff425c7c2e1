package authority

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/blake3"
)

// Tag names how an identity was computed.
type Tag string

// The tags. blake3 and sha256 are digests of bytes; the git* tags are git's
// object ids, named as in in-toto digest sets; the review-* tags are SHA-256
// hashes of the records source-set and artifact-bundle of the format
// review-identity-v1.
const (
	BLAKE3    Tag = "blake3"
	SHA256    Tag = "sha256"
	GitBlob   Tag = "gitBlob"
	GitTree   Tag = "gitTree"
	GitCommit Tag = "gitCommit"
	GitTag    Tag = "gitTag"

	ReviewSourceSet Tag = "review-source-set"
	ReviewBundle    Tag = "review-bundle"
)

// tags is the table of tags with the lengths of their hexadecimal text.
var tags = []struct {
	tag   Tag
	sizes []int
}{
	{BLAKE3, []int{64}},
	{SHA256, []int{64}},
	{GitBlob, []int{40, 64}},
	{GitTree, []int{40, 64}},
	{GitCommit, []int{40, 64}},
	{GitTag, []int{40, 64}},
	{ReviewSourceSet, []int{64}},
	{ReviewBundle, []int{64}},
}

// Identity is a tagged, full-length digest or object id. It is comparable; the
// others than the zero Identity come from ParseIdentity or from an observation.
type Identity struct {
	tag   Tag
	whole bool
	sum   [32]byte
	size  uint8
}

const wholePrefix = "whole:"

// ParseIdentity parses [whole:]tag:hex, lower case and full length. The error
// is a *Fault with code malformed:identity and an offset in s.
func ParseIdentity(s string) (Identity, error) {
	rest, whole := strings.CutPrefix(s, wholePrefix)
	at := len(s) - len(rest)
	name, digits, found := strings.Cut(rest, ":")
	if !found {
		return Identity{}, malformedAt(MalformedIdentity, at, "an identity is tag:hex; untagged hexadecimal proves nothing")
	}
	sizes := sizesOf(Tag(name))
	if sizes == nil {
		return Identity{}, malformedAt(MalformedIdentity, at, "unknown identity tag %s; known are %s", Quote(name), tagNames())
	}
	at += len(name) + 1
	for i := 0; i < len(digits); i++ {
		if c := digits[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return Identity{}, malformedAt(MalformedIdentity, at+i, "the byte is no lower-case hexadecimal digit")
		}
	}
	if !slices.Contains(sizes, len(digits)) {
		return Identity{}, malformedAt(MalformedIdentity, at, "%s has %d hexadecimal digits, want %s", name, len(digits), sizeNames(sizes))
	}
	id := Identity{tag: Tag(name), whole: whole}
	n, err := hex.Decode(id.sum[:], []byte(digits))
	if err != nil {
		return Identity{}, malformedAt(MalformedIdentity, at, "the digits are no hexadecimal")
	}
	id.size = uint8(n)
	return id, nil
}

func sizesOf(t Tag) []int {
	for _, e := range tags {
		if e.tag == t {
			return e.sizes
		}
	}
	return nil
}

func tagNames() string {
	names := make([]string, len(tags))
	for i, e := range tags {
		names[i] = string(e.tag)
	}
	return strings.Join(names, " ")
}

func sizeNames(sizes []int) string {
	texts := make([]string, len(sizes))
	for i, n := range sizes {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, " or ")
}

// Tag returns how the identity was computed.
func (id Identity) Tag() Tag { return id.tag }

// Whole reports whether the identity covers the whole authority although a
// selector says which part is meant.
func (id Identity) Whole() bool { return id.whole }

// AsPart returns the same identity, covering what it is the digest of and nothing
// around it.
func (id Identity) AsPart() Identity {
	id.whole = false
	return id
}

// IsZero reports whether id is the zero Identity.
func (id Identity) IsZero() bool { return id.tag == "" }

// Hex returns the digits alone.
func (id Identity) Hex() string { return hex.EncodeToString(id.sum[:id.size]) }

// String returns the canonical text, which ParseIdentity gives back.
func (id Identity) String() string {
	if id.IsZero() {
		return ""
	}
	text := string(id.tag) + ":" + id.Hex()
	if id.whole {
		return wholePrefix + text
	}
	return text
}

// digest computes the identity of data as like states it: the same tag, length
// and coverage. It reports false for a tag that is no digest of bytes.
func digest(like Identity, data []byte) (Identity, bool) {
	id := Identity{tag: like.tag, whole: like.whole, size: sizeFor(like)}
	switch like.tag {
	case BLAKE3:
		id.sum = blake3.Sum256(data)
	case SHA256:
		id.sum = sha256.Sum256(data)
	case GitBlob:
		d, _ := newDigest(like, int64(len(data)))
		d.h.Write(data)
		return d.identity(), true
	default:
		return Identity{}, false
	}
	return id, true
}

// streamDigest computes an identity of bytes that are not held.
type streamDigest struct {
	id Identity
	h  hash.Hash
}

// newDigest begins the identity of size bytes as like states it. It reports
// false for a tag that is no digest of bytes.
func newDigest(like Identity, size int64) (*streamDigest, bool) {
	d := &streamDigest{id: Identity{tag: like.tag, whole: like.whole, size: sizeFor(like)}}
	switch {
	case like.tag == BLAKE3:
		d.h = blake3.New()
	case like.tag == SHA256, like.tag == GitBlob && d.id.size == sha256.Size:
		d.h = sha256.New()
	case like.tag == GitBlob:
		d.h = sha1.New()
	default:
		return nil, false
	}
	if like.tag == GitBlob {
		d.h.Write(append(strconv.AppendInt([]byte("blob "), size, 10), 0))
	}
	return d, true
}

func (d *streamDigest) identity() Identity {
	d.h.Sum(d.id.sum[:0])
	return d.id
}

// sizeFor returns how many bytes an identity like this has.
func sizeFor(like Identity) uint8 {
	switch {
	case like.size != 0:
		return like.size
	case like.tag == GitBlob:
		return sha1.Size
	}
	return sha256.Size
}

// Digest computes the identity of data as like states it: tag, length and
// coverage. It is zero for a tag that is no digest of bytes.
func Digest(like Identity, data []byte) Identity {
	id, _ := digest(like, data)
	return id
}

// BLAKE3Sum returns the BLAKE3 digest of data as an Identity. It is what mint
// writes and what records use to name bytes that they do not repeat.
func BLAKE3Sum(data []byte) Identity {
	id, _ := digest(Identity{tag: BLAKE3}, data)
	return id
}

// SHA256Sum returns the SHA-256 digest of data as an Identity. It is what the review
// contract states of files.
func SHA256Sum(data []byte) Identity {
	id, _ := digest(Identity{tag: SHA256}, data)
	return id
}

// Hash computes a BLAKE3 identity of bytes that are not kept.
type Hash struct{ h *blake3.Hasher }

// NewHash returns a Hash of nothing yet.
func NewHash() Hash { return Hash{blake3.New()} }

// Write adds bytes.
func (h Hash) Write(b []byte) {
	// The hasher's Write never fails; its signature is io.Writer's.
	_, _ = h.h.Write(b)
}

// Identity returns the identity of the bytes written so far.
func (h Hash) Identity() Identity {
	id := Identity{tag: BLAKE3}
	id.size = uint8(len(h.h.Sum(id.sum[:0])))
	return id
}

// Like returns an identity that states nothing yet but how one is computed: a
// tag and what it covers. The git tags take the length of the ids of the
// repository; a gitBlob of bytes outside any repository is a SHA-1.
func Like(tag Tag, whole bool) Identity { return Identity{tag: tag, whole: whole} }

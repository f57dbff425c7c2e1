package gitref

import "bytes"

// BinaryPrefix is how many bytes of a file git searches for a NUL, which says that
// it is no text (buffer_is_binary).
const BinaryPrefix = 8000

// IsBinary reports whether git takes the bytes of a file for no text.
func IsBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), BinaryPrefix)], 0) >= 0
}

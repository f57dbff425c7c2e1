//go:build !unix

package authority

// nonblock is nothing where opening a file cannot wait.
const nonblock = 0

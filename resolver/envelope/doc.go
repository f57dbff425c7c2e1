// Package envelope holds the closed envelopes of the delivery contract in which
// pointers travel, and what follows from them mechanically: identities, checks,
// routes. It is stateless: it reads what it is given and what git and the
// pointers say, and decides nothing for anyone.
package envelope

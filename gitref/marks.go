package gitref

// The size in commits of a piece of marks, and how many there are at most.
const (
	markPiece     = 64
	maxMarkPieces = 256
)

// marks holds the flags of the commits of a walk by their numbers. A commit-graph
// numbers commits in the order of their ids, so that a short walk would touch a
// fresh page of a plain table for nearly every commit: it gets small pieces, and only
// a longer one the table.
type marks struct {
	table  []uint8
	pieces []*[markPiece]uint8
	spare  [][markPiece]uint8
}

// newMarks makes marks for walks through a commit-graph of n commits and the
// commits behind them.
func newMarks(n int32) marks {
	return marks{pieces: make([]*[markPiece]uint8, n/markPiece+1), spare: make([][markPiece]uint8, maxMarkPieces)}
}

// at returns the flags of commit n, which stand there until the next call.
func (m *marks) at(n int32) *uint8 {
	if int(n) < len(m.table) {
		return &m.table[n]
	}
	return m.outside(n)
}

// outside is at for a commit that the table does not have.
func (m *marks) outside(n int32) *uint8 {
	i := int(n) / markPiece
	if m.table != nil || i >= len(m.pieces) || m.pieces[i] == nil && len(m.spare) == 0 {
		m.grow(int(n) + 1)
		return &m.table[n]
	}
	if m.pieces[i] == nil {
		m.pieces[i], m.spare = &m.spare[0], m.spare[1:]
	}
	return &m.pieces[i][n%markPiece]
}

// grow makes the table, or a longer one, of at least n flags.
func (m *marks) grow(n int) {
	// Memory that is fresh from the system is zero, and untouched until it is used:
	// append would clear all of it.
	table := make([]uint8, max(n, 2*len(m.table), markPiece*len(m.pieces), 1024))
	copy(table, m.table)
	for i, piece := range m.pieces {
		if piece != nil {
			copy(table[i*markPiece:], piece[:])
		}
	}
	m.table, m.pieces, m.spare = table, nil, nil
}

package gitref

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"path/filepath"
)

var errGraph = errors.New("the commit-graph is malformed")

// The chunks of a commit-graph file that walks need (gitformat-commit-graph(5)).
const (
	chunkCommitData = "CDAT"
	chunkGenData    = "GDA2"
	chunkGenWide    = "GDO2"
	chunkEdges      = "EDGE"
	chunkBases      = "BASE"
)

const (
	graphHeaderSize = 8
	commitFixed     = 16 // bytes of a commit's data behind the id of its tree
	graphNoParent   = 0x70000000
	graphManyBit    = 1 << 31
	maxGraphLayers  = 1024
	maxChainFile    = maxGraphLayers * (2*sha256Size + 1)
)

// graphLayer is one commit-graph file. It is read here and not through go-git,
// whose reader makes about ten reads and as many allocations a commit, and
// neither checks what it was told nor bounds a list of parents.
type graphLayer struct {
	view  *view
	base  int // commits in the layers below
	count int
	ids   span
	data  span
	gens  span // corrected commit date offsets; empty when the file has none
	wide  span
	edges span
}

// commitGraph is a chain of layers. A commit's position counts through them all.
type commitGraph struct {
	hashSize  int
	layers    []*graphLayer // the lowest first
	count     int
	corrected bool // every layer has corrected commit dates, else levels count
}

// openGraph returns the commit-graph of the first object directory that has
// one, as a file or as a chain; nil when there is none. Its ids have hashSize bytes.
func openGraph(dirs []string, hashSize int) (*commitGraph, error) {
	for _, dir := range dirs {
		v, err := openView(filepath.Join(dir, "info", "commit-graph"))
		if err == nil {
			return newGraph([]*view{v}, nil, hashSize)
		}
		if !vanished(err) {
			return nil, err
		}
		chain := filepath.Join(dir, "info", "commit-graphs", "commit-graph-chain")
		b, err := readRegular(chain, maxChainFile)
		if err == nil {
			return openGraphChain(dirs, b, hashSize)
		}
		if !vanished(err) {
			return nil, err
		}
	}
	return nil, nil
}

// parseGraphChain parses a commit-graph-chain file: the checksum of each layer, of
// hashSize bytes, on a line, the lowest first.
func parseGraphChain(b []byte, hashSize int) ([][]byte, error) {
	var sums [][]byte
	for len(b) > 0 {
		line, rest, ok := bytes.Cut(b, []byte{'\n'})
		sum := make([]byte, hashSize)
		if !ok || len(line) != 2*hashSize || len(sums) == maxGraphLayers {
			return nil, errGraph
		}
		if _, err := hex.Decode(sum, line); err != nil {
			return nil, errGraph
		}
		sums, b = append(sums, sum), rest
	}
	return sums, nil
}

// openGraphChain opens the layers of a chain, each in whichever object
// directory has it.
func openGraphChain(dirs []string, chain []byte, hashSize int) (*commitGraph, error) {
	sums, err := parseGraphChain(chain, hashSize)
	if err != nil || len(sums) == 0 {
		return nil, err
	}
	var views []*view
	for _, sum := range sums {
		v, err := openLayer(dirs, sum)
		if err != nil {
			closeViews(views)
			return nil, err
		}
		views = append(views, v)
	}
	return newGraph(views, sums, hashSize)
}

func openLayer(dirs []string, sum []byte) (v *view, err error) {
	name := "graph-" + hex.EncodeToString(sum) + ".graph"
	for _, dir := range dirs {
		if v, err = openView(filepath.Join(dir, "info", "commit-graphs", name)); err == nil {
			return v, nil
		}
	}
	return nil, err
}

func closeViews(views []*view) {
	for _, v := range views {
		v.close()
	}
}

// newGraph parses the layers. sums are the checksums a chain file names, nil
// for a single file.
func newGraph(views []*view, sums [][]byte, hashSize int) (*commitGraph, error) {
	g := &commitGraph{hashSize: hashSize, corrected: true}
	for i, v := range views {
		l, err := parseLayer(v, g.count, sums, i, hashSize)
		if err != nil {
			closeViews(views)
			return nil, err
		}
		g.layers = append(g.layers, l)
		g.count += l.count
		g.corrected = g.corrected && l.gens.size > 0
		if g.count > graphNoParent {
			closeViews(views)
			return nil, errGraph
		}
	}
	return g, nil
}

func parseLayer(v *view, base int, sums [][]byte, level, hashSize int) (*graphLayer, error) {
	head, err := v.slice(0, graphHeaderSize)
	if err != nil {
		return nil, err
	}
	// Signature, version 1, hash function, chunks, layers below.
	if !bytes.HasPrefix(head, []byte("CGPH\x01")) || head[5] != hashVersion(hashSize) || int(head[7]) != level&0xff {
		return nil, errGraph
	}
	chunks, err := parseChunks(v, graphHeaderSize, int(head[6]), hashSize)
	if err != nil {
		return nil, err
	}
	if err := checkBases(v, chunks, sums, level, hashSize); err != nil {
		return nil, err
	}
	l := &graphLayer{view: v, base: base, edges: chunks[chunkEdges], wide: chunks[chunkGenWide]}
	return l, l.place(chunks, int64(hashSize))
}

// checkBases compares the layers a file was written on with those of the chain.
func checkBases(v *view, chunks chunkTable, sums [][]byte, level, hashSize int) error {
	if sums == nil {
		return nil
	}
	sum, err := v.slice(v.size-int64(hashSize), int64(hashSize))
	if err != nil {
		return err
	}
	if !bytes.Equal(sum, sums[level]) {
		return errChecksum
	}
	if level == 0 {
		return nil
	}
	c, err := chunks.exact(chunkBases, int64(level)*int64(hashSize))
	if err != nil {
		return err
	}
	got, err := v.slice(c.off, c.size)
	if err == nil && !bytes.Equal(got, bytes.Join(sums[:level], nil)) {
		err = errGraph
	}
	return err
}

// place checks the sizes of the tables against the number of commits.
func (l *graphLayer) place(chunks chunkTable, hashSize int64) error {
	fanout, err := chunks.exact(chunkFanout, fanoutSize)
	if err != nil {
		return err
	}
	table, err := l.view.slice(fanout.off, fanoutSize)
	if err != nil {
		return err
	}
	if l.count, err = fanoutCount(table); err != nil {
		return err
	}
	n := int64(l.count)
	if l.ids, err = chunks.exact(chunkIDs, n*hashSize); err != nil {
		return err
	}
	if l.data, err = chunks.exact(chunkCommitData, n*(hashSize+commitFixed)); err != nil {
		return err
	}
	if _, has := chunks[chunkGenData]; has {
		if l.gens, err = chunks.exact(chunkGenData, n*4); err != nil {
			return err
		}
	}
	return nil
}

// verify recomputes the checksums of all layers.
func (g *commitGraph) verify() (err error) {
	defer trapFault(&err, OID{})()
	for _, l := range g.layers {
		if err := verifyTrailer(l.view, g.hashSize); err != nil {
			return err
		}
	}
	return nil
}

func (g *commitGraph) close() {
	for _, l := range g.layers {
		l.view.close()
	}
}

// find returns the position of the commit id.
func (g *commitGraph) find(id OID) (int, bool, error) {
	for i := len(g.layers) - 1; i >= 0; i-- {
		l := g.layers[i]
		pos, ok, err := searchIDs(l.view, l.ids.off, int64(g.hashSize), 0, l.count, 0, math.MaxUint64, id.sum[:g.hashSize])
		if err != nil || ok {
			return l.base + pos, ok, err
		}
	}
	return 0, false, nil
}

// layer returns the layer of a position and the position in it.
func (g *commitGraph) layer(pos int) (*graphLayer, int64, error) {
	for i := len(g.layers) - 1; i >= 0 && pos >= 0; i-- {
		if l := g.layers[i]; pos >= l.base {
			if pos-l.base >= l.count {
				break
			}
			return l, int64(pos - l.base), nil
		}
	}
	return nil, 0, errGraph
}

func (g *commitGraph) id(pos int) (OID, error) {
	l, at, err := g.layer(pos)
	if err != nil {
		return OID{}, err
	}
	n := int64(g.hashSize)
	b, err := l.view.slice(l.ids.off+at*n, n)
	if err != nil {
		return OID{}, err
	}
	return oidFromBytes(b)
}

// graphCommit is what a graph states of one commit.
type graphCommit struct {
	generation uint64 // above that of every parent
	time       int64
	first      uint32
	second     uint32
}

func (g *commitGraph) commit(pos int) (graphCommit, error) {
	l, at, err := g.layer(pos)
	if err != nil {
		return graphCommit{}, err
	}
	n := int64(g.hashSize)
	b, err := l.view.slice(l.data.off+at*(n+commitFixed)+n, commitFixed)
	if err != nil {
		return graphCommit{}, err
	}
	word := binary.BigEndian.Uint32(b[8:])
	c := graphCommit{
		generation: uint64(word >> 2),
		time:       int64(word&3)<<32 | int64(binary.BigEndian.Uint32(b[12:])),
		first:      binary.BigEndian.Uint32(b),
		second:     binary.BigEndian.Uint32(b[4:]),
	}
	if g.corrected {
		c.generation, err = l.correctedDate(at, c.time)
	}
	if err == nil && c.generation == 0 {
		// Written by a git that did not compute generations.
		err = errGraph
	}
	return c, err
}

// correctedDate is generation number version 2: the commit's date, plus an
// offset where a parent's is not below it.
func (l *graphLayer) correctedDate(at, time int64) (uint64, error) {
	b, err := l.view.slice(l.gens.off+4*at, 4)
	if err != nil {
		return 0, err
	}
	off := binary.BigEndian.Uint32(b)
	if off&(1<<31) == 0 {
		return uint64(time) + uint64(off), nil
	}
	n := int64(off &^ (1 << 31))
	if n >= l.wide.size/8 {
		return 0, errGraph
	}
	wide, err := wideOffset(l.view, l.wide.off+8*n)
	return uint64(time) + uint64(wide), err
}

// parents appends the positions of the parents of the commit at pos.
func (g *commitGraph) parents(to []int32, pos int, c graphCommit) ([]int32, error) {
	l, _, err := g.layer(pos)
	if err != nil {
		return to, err
	}
	if c.first == graphNoParent {
		return to, nil
	}
	if to, err = l.appendParent(to, c.first); err != nil || c.second == graphNoParent {
		return to, err
	}
	if c.second&graphManyBit == 0 {
		return l.appendParent(to, c.second)
	}
	for i := int64(c.second &^ graphManyBit); i < l.edges.size/4; i++ {
		b, err := l.view.slice(l.edges.off+4*i, 4)
		if err != nil {
			return to, err
		}
		e := binary.BigEndian.Uint32(b)
		if to, err = l.appendParent(to, e&^graphManyBit); err != nil || e&graphManyBit != 0 {
			return to, err
		}
	}
	return to, errGraph
}

// appendParent appends a position, which must lie in this layer or below.
func (l *graphLayer) appendParent(to []int32, pos uint32) ([]int32, error) {
	if int64(pos) >= int64(l.base+l.count) {
		return to, errGraph
	}
	return append(to, int32(pos)), nil
}

// edgeCount is how many extra parents all layers list.
func (g *commitGraph) edgeCount() int64 {
	var n int64
	for _, l := range g.layers {
		n += l.edges.size / 4
	}
	return n
}

package documents

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// plan says what becomes of the entries of a round.
type plan struct {
	row      *row
	graph    *graph
	changing []bool // nodes of the graph in which something will be written
	ready    []int  // entries to write that depend on none such
	waiting  []int  // entries to write once others are that stand in what they are about
}

// plan sorts the entries of a round by what becomes of them. Those that cannot
// follow are blocked.
func (r *round) plan() *plan {
	line := newRow(r.entries, r.rewritable)
	g := newGraph(len(line.cells))
	rules := make([][]int, len(line.cells)) // what a rule of the entry depends on
	for n, c := range line.cells {
		covers := &coverage{round: r, row: line, lists: map[string]bool{}}
		p := r.now(c.entry)
		g.cover(n, covers.of(p, r.entries[c.entry].File, r.records[c.entry]))
		if p.Kind().Name != "inputs" {
			rules[n] = g.nodes(covers.inputs(p))
			g.of[g.leaf(n)] = append(g.of[g.leaf(n)], rules[n]...)
		}
	}
	changing := make([]bool, len(g.of))
	for n, c := range line.cells {
		changing[g.leaf(n)] = r.moving[c.entry]
	}
	for _, group := range g.components() {
		r.settle(g, line, rules, group, changing)
	}
	p := &plan{row: line, graph: g, changing: changing}
	for n, c := range line.cells {
		switch {
		case !changing[g.leaf(n)]:
		case slices.ContainsFunc(g.of[g.leaf(n)], func(node int) bool { return changing[node] }) && !r.moving[c.entry]:
			p.waiting = append(p.waiting, c.entry)
		default:
			p.ready = append(p.ready, c.entry)
		}
	}
	slices.Sort(p.ready)
	slices.Sort(p.waiting)
	return p
}

// rewritable reports whether an entry is, or can become, one to write.
func (r *round) rewritable(i int) bool {
	return r.records[i].Outcome != resolver.Blocked && r.concerned(i)
}

// now is the pointer of an entry as it would be written.
func (r *round) now(i int) resolver.Pointer {
	if p, err := resolver.ParseInText(r.records[i].PointerNow); err == nil {
		return p
	}
	return r.records[i].Subject()
}

// settle decides about the entries of a component of the graph, all of which
// depend on each other, when what they depend on is decided.
func (r *round) settle(g *graph, line *row, rules [][]int, group []int, changing []bool) {
	will := func(node int) bool { return changing[node] }
	circle := ""
	if g.circle(group) {
		circle = r.circle(line, g.leaves(group))
	}
	slices.Sort(group)
	for _, node := range slices.Backward(group) { // a node of the tree stands before its parts
		if !g.isLeaf(node) {
			changing[node] = slices.ContainsFunc(g.of[node], will)
		}
	}
	for _, node := range group {
		if !g.isLeaf(node) {
			continue
		}
		i := line.cells[node-g.size].entry
		candidate, depends := r.records[i].Outcome == resolver.Refreshed, slices.ContainsFunc(g.of[node], will)
		switch {
		case r.moving[i], !candidate && !depends:
		case circle != "":
			r.block(i, authority.MalformedAuthority, "accepting it changes what it depends on; the circle is "+circle)
		case slices.ContainsFunc(rules[node-g.size], will):
			r.block(i, authority.StaleInputs, "the set of inputs that a rule names changes when others are accepted")
		case depends && r.options.Difference != "":
			r.block(i, authority.StaleIdentity, r.tooDifferent())
		default:
			changing[node] = true
		}
	}
}

// circleNamed is how many places a record names of those in a circle.
const circleNamed = 20

// circle names the places of pointers that depend on each other.
func (r *round) circle(line *row, cells []int) string {
	places := make([]resolver.Place, len(cells))
	for n, c := range cells {
		places[n] = r.entries[line.cells[c].entry].At
	}
	slices.SortFunc(places, resolver.Place.Compare)
	var names []string
	for _, at := range places[:min(len(places), circleNamed)] {
		names = append(names, fmt.Sprintf("%s:%d", at.Path, at.Line))
	}
	if more := len(places) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// coverage finds which entries stand in what a pointer is about: rewriting them
// changes its identity.
type coverage struct {
	round *round
	row   *row
	lists map[string]bool // lists of inputs that were looked into
}

// of lists the spans of what a pointer, which stands in the file from, is about.
// The record says what was observed.
func (c *coverage) of(p resolver.Pointer, from string, record *resolver.Record) []span {
	at, ok := p.Path(from)
	if !ok {
		return nil
	}
	switch p.Kind().Name {
	case "file":
		o, all := record.Observed, c.row.file(at)
		if o == nil || o.Bytes == nil || p.Identity().Whole() {
			return []span{all}
		}
		from, to := o.Bytes[0], o.Bytes[1]
		if o.Conversion != "" { // hashed in another form than it lies there
			removed := c.round.removed(at)
			from, to = lying(removed, from), lying(removed, to)
		}
		return []span{c.row.inRange(all, from, to)}
	case "inputs":
		return c.inputs(p)
	}
	return []span{c.row.below(at)}
}

// inputs lists the spans of the lists of inputs that a pointer depends on and of
// their members, each list once.
func (c *coverage) inputs(p resolver.Pointer) (spans []span) {
	for _, list := range p.InputLists() {
		if c.lists[list] {
			continue
		}
		c.lists[list] = true
		spans = append(spans, c.row.file(list))
		for _, member := range c.round.members(list) {
			if q := member.Subject(); !q.IsZero() {
				spans = append(spans, c.of(q, list, member)...)
				if q.Kind().Name != "inputs" {
					spans = append(spans, c.inputs(q)...)
				}
			}
		}
	}
	return spans
}

// members resolves the members of a list of inputs, once in a round; one that
// cannot be read has none.
func (r *round) members(list string) []*resolver.Record {
	if known, ok := r.lists[list]; ok {
		return known
	}
	var records []*resolver.Record
	d := r.workspace.ReadDocument(r.ctx, list)
	if items, err := resolver.ReadItems(bytes.NewReader(d.Data)); err == nil {
		for i := range items {
			items[i].From = list
		}
		// What fails here failed for the set, which is then no candidate.
		records, _ = resolver.Resolve(r.ctx, r.workspace, items, resolver.Options{})
	}
	r.lists[list] = records
	return records
}

// removed lists where, in the form that git stores, a file has line feeds before
// which its carriage returns were removed, once in a round.
func (r *round) removed(file string) []int {
	if known, ok := r.returns[file]; ok {
		return known
	}
	data := r.workspace.ReadDocument(r.ctx, file).Data
	var list []int
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte("\r\n"))
		if i < 0 {
			r.returns[file] = list
			return list
		}
		list = append(list, at+i-len(list))
		at += i + 1
	}
}

// lying is the offset in a file as it lies there of an offset in the form that git
// stores.
func lying(removed []int, stored int) int { return stored + sort.SearchInts(removed, stored) }

package yaml

// keyNodes is how many nodes an implicit key may have: they are moved when the
// ':' behind them shows that they are one.
const keyNodes = 64

// insert puts a node at index at, which is the end or the start of a key just
// parsed, and opens it if it is a collection.
func (p *parser) insert(at int, n Node) {
	if len(p.file.Nodes) >= p.limits.Nodes {
		p.overLimit("has too many nodes")
	}
	if len(p.file.Nodes)-at > keyNodes {
		p.overLimit("has an implicit key of too many nodes")
	}
	p.steps += 1 + len(p.file.Nodes) - at
	n.Size = 1
	p.file.Nodes = append(p.file.Nodes, Node{})
	copy(p.file.Nodes[at+1:], p.file.Nodes[at:])
	p.file.Nodes[at] = n
	if n.Kind == Mapping || n.Kind == Sequence {
		if len(p.open) >= p.limits.Depth {
			p.overLimit("nests too deep")
		}
		p.open = append(p.open, at)
	}
}

func (p *parser) add(n Node) { p.insert(len(p.file.Nodes), n) }

func (p *parser) overLimit(what string) {
	panic(&Error{Offset: p.i, What: what, Limit: true})
}

// close ends the innermost collection behind what was read last.
func (p *parser) close() {
	last := len(p.open) - 1
	n := &p.file.Nodes[p.open[last]]
	n.To, n.Size = int32(p.end), int32(len(p.file.Nodes)-p.open[last])
	p.open = p.open[:last]
}

// empty adds an empty scalar behind what was read last.
func (p *parser) empty() { p.add(Node{From: int32(p.end), To: int32(p.end)}) }

// emptyWith adds an empty scalar that has properties.
func (p *parser) emptyWith(pr properties) {
	if !pr.given {
		p.empty()
		return
	}
	p.add(Node{From: int32(pr.from), To: int32(pr.to), Props: pr.index})
}

package envelope

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// check is one envelope being checked.
type check struct {
	*document
	options  *Options
	pointers []standing
	at       map[*node]resolver.Pointer // the pointer that a value is
	texts    []*node                    // every text that is no pointer
	records  map[*node]*resolver.Record // of the pointers that were resolved, by place; nil when none were

	ctx       context.Context
	workspace *authority.Workspace // nil when nothing is resolved
}

// standing is a pointer where it stands.
type standing struct {
	node    *node
	at      int // byte of the file
	pointer resolver.Pointer
	record  *resolver.Record // nil when it was not resolved
}

// bytes returns what the pointer was proven to name, false when it is blocked,
// has no bytes or was not resolved.
func (s standing) bytes() ([]byte, bool) {
	if s.record == nil || s.record.Outcome == resolver.Blocked {
		return nil, false
	}
	return s.record.Bytes()
}

// pointer parses what stands where a Context Pointer must stand.
func (c *check) pointer(n *node) {
	n.pointer = true
	if n.kind != '"' && n.kind != '{' {
		c.addAt(n, WrongType, article(n.typeName())+" stands where a Context Pointer must stand, an object or a string")
		return
	}
	raw := c.data[n.from:n.to]
	var p resolver.Pointer
	var err error
	if n.bare {
		p, err = resolver.ParsePointer(n.text)
	} else {
		p, err = resolver.ParseJSON(raw)
	}
	if err == nil {
		c.at[n] = p
		c.pointers = append(c.pointers, standing{node: n, at: n.from, pointer: p})
		return
	}
	before := len(c.findings)
	if n.kind == '{' {
		c.shape(schemaSet()[pointerID].Defs["object"], n)
	}
	if len(c.findings) == before {
		c.malformed(n, n.from, err)
	}
}

// malformed notes that a text is no pointer. The fault's own place is one of the
// decoded text, and stands in its sentence where it has one.
func (c *check) malformed(n *node, at int, err error) {
	f, ok := errors.AsType[*authority.Fault](err)
	if !ok {
		c.add(MalformedPointer, at, n.path(), "the text is no Context Pointer")
		return
	}
	if n.kind == '{' && f.Offset >= 0 {
		n = n.at(n.from + f.Offset)
		at = n.from
	}
	c.add(MalformedPointer, at, n.path(), string(f.Code)+": "+resolver.Redact(f.Proof))
}

// inText parses a pointer that stands in a text, at a byte of the file.
func (c *check) inText(n *node, at int, text string) {
	p, err := resolver.ParseInText(text)
	if err != nil {
		c.malformed(n, at, err)
		return
	}
	c.pointers = append(c.pointers, standing{node: n, at: at, pointer: p})
}

// resolve resolves every pointer in one batch, one that stands in several places
// once, and returns a record for each place, whose id is that place.
func (c *check) resolve(ctx context.Context, w *authority.Workspace) ([]*resolver.Record, error) {
	c.ctx, c.workspace = ctx, w
	slices.SortStableFunc(c.pointers, func(a, b standing) int { return cmp.Compare(a.at, b.at) })
	var items []resolver.Item
	which := map[string]int{}
	for _, s := range c.pointers {
		text := s.pointer.String()
		if _, known := which[text]; !known {
			which[text] = len(items)
			items = append(items, resolver.Item{Text: text, From: c.options.File})
		}
	}
	o := c.options.Resolve
	o.Keep = len(c.texts) > 0 // what the pointers name must not stand in one of them
	answers, err := resolver.Resolve(ctx, w, items, o)
	if err != nil {
		return nil, err
	}
	records := make([]*resolver.Record, len(c.pointers))
	c.records = map[*node]*resolver.Record{}
	for i, s := range c.pointers {
		here := *answers[which[s.pointer.String()]]
		here.Index, here.ID, here.At = i, s.node.path(), c.standsIn(s)
		records[i], c.pointers[i].record = &here, &here
		if s.node.pointer {
			c.records[s.node] = &here
		}
	}
	return records, nil
}

// standsIn is the place of a pointer in the file, nil where the file has no path.
func (c *check) standsIn(s standing) *resolver.Place {
	if c.options.File == "" {
		return nil
	}
	line, column := c.place(s.at)
	return &resolver.Place{Path: c.options.File, Line: line, Column: column}
}

// standsAt returns the pointer that stands at a value, false when none does.
func (c *check) standsAt(n *node) (resolver.Pointer, bool) {
	p, ok := c.at[n]
	return p, ok
}

// bytesAt returns what a pointer at a value was proven to name.
func (c *check) bytesAt(n *node) ([]byte, bool) { return standing{record: c.records[n]}.bytes() }

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
		c.pointers = append(c.pointers, standing{n, n.from, p})
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
	c.pointers = append(c.pointers, standing{n, at, p})
}

// resolve resolves every pointer in one batch. The place of each is the id of its
// record.
func (c *check) resolve(ctx context.Context, w *authority.Workspace) ([]*resolver.Record, error) {
	c.ctx, c.workspace = ctx, w
	slices.SortStableFunc(c.pointers, func(a, b standing) int { return cmp.Compare(a.at, b.at) })
	items := make([]resolver.Item, len(c.pointers))
	for i, s := range c.pointers {
		items[i] = resolver.Item{Text: s.pointer.String(), ID: s.node.path(), From: c.options.File}
		if c.options.File != "" {
			line, column := c.place(s.at)
			items[i].At = &resolver.Place{Path: c.options.File, Line: line, Column: column}
		}
	}
	o := c.options.Resolve
	o.Keep = len(c.texts) > 0 // what the pointers name must not stand in one of them
	records, err := resolver.Resolve(ctx, w, items, o)
	if err != nil {
		return nil, err
	}
	c.records = make(map[*node]*resolver.Record, len(records))
	for i, s := range c.pointers {
		if s.node.pointer {
			c.records[s.node] = records[i]
		}
	}
	return records, nil
}

// standsAt returns the pointer that stands at a value, false when none does.
func (c *check) standsAt(n *node) (resolver.Pointer, bool) {
	p, ok := c.at[n]
	return p, ok
}

// bytesAt returns what a pointer at a value was proven to name, false when it is
// blocked, has no bytes or was not resolved.
func (c *check) bytesAt(n *node) ([]byte, bool) {
	if r := c.records[n]; r != nil && r.Outcome != resolver.Blocked {
		return r.Bytes()
	}
	return nil, false
}

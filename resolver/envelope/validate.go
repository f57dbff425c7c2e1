package envelope

import (
	"context"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// Options say how an envelope is checked.
type Options struct {
	Name    string           // what the result calls the file
	File    string           // its path relative to the root, "" when it lies outside or is no file
	Resolve resolver.Options // how its pointers are resolved
	Scope   []string         // of a task result: its Active Write Scope, nil when none is given
	Packet  []byte           // of a handoff: the packet that it must not name, nil when none is given
}

// Validate checks an envelope: its JSON, its shape, its content, each of its
// pointers and the rules between its parts. Without a workspace no pointer is
// resolved, and rules about what they name prove nothing. The error is one of
// resolver.Resolve.
func Validate(ctx context.Context, w *authority.Workspace, kind *Kind, data []byte, o Options) (*Result, error) {
	c := newCheck(data, &o)
	kind.decode(kind, c)
	var records []*resolver.Record
	if w != nil {
		var err error
		if records, err = c.resolve(ctx, w); err != nil {
			return nil, err
		}
		c.copied()
	}
	kind.hold(c)
	return c.result(kind, records, w != nil), nil
}

func newCheck(data []byte, o *Options) *check {
	return &check{document: newDocument(data), options: o, at: map[*node]resolver.Pointer{}}
}

// hold holds a document that could be read against the kind's rules.
func (k *Kind) hold(c *check) {
	if c.root == nil {
		return
	}
	for _, rule := range k.rules {
		rule(c)
	}
}

package reference

import "ctxptr/resolver"

// Plain returns the reference as the resolver proves it. document is the path,
// relative to the root, of the document in which it stands.
func (r Reference) Plain(document string) resolver.Plain {
	t := r.Target
	return resolver.Plain{
		Text: r.Text, Form: string(r.Form), From: document,
		At:   &resolver.Place{Path: document, Line: r.Line, Column: r.Column},
		Base: t.Base, Path: t.Path, Lines: t.Lines, Fragment: t.Fragment,
		Web: t.Web, Revision: t.Revision, Range: t.Range,
	}
}

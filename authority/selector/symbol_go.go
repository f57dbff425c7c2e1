package selector

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"

	"ctxptr/authority/selector/symbols"
)

// outlineGo outlines Go source: functions, methods, types with their fields and
// methods, constants and variables. What stands inside a function body has no
// path.
func outlineGo(source []byte) symbols.Outline {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", source, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
	g := &goOutliner{source: source, file: fset.File(tree.FileStart), broken: -1}
	if g.file == nil { // a tree without positions: nothing was parsed
		return symbols.Outline{Errors: []symbols.Span{{From: 0, To: len(source)}}}
	}
	g.readErrors(err, tree)
	for _, group := range tree.Comments {
		for _, c := range group.List {
			g.comments = append(g.comments, g.span(c))
		}
	}
	for _, decl := range tree.Decls {
		g.decl(decl)
	}
	return g.out
}

// goOutliner collects the definitions of one Go file.
type goOutliner struct {
	source   []byte
	file     *token.File
	comments []symbols.Span
	broken   int // offset of the first syntax error, or -1
	out      symbols.Outline
}

// readErrors records each syntax error with the rest of its line, and each
// declaration that could not be parsed.
func (g *goOutliner) readErrors(err error, tree *ast.File) {
	list, _ := err.(scanner.ErrorList) // ParseFile of bytes has no other error
	for _, e := range list {
		from := min(max(e.Pos.Offset, 0), len(g.source))
		to := from
		for to < len(g.source) && g.source[to] != '\n' {
			to++
		}
		g.out.Errors = append(g.out.Errors, symbols.Span{From: from, To: to})
	}
	for _, decl := range tree.Decls {
		if bad, ok := decl.(*ast.BadDecl); ok {
			g.out.Errors = append(g.out.Errors, g.span(bad))
		}
	}
	g.broken = g.out.FirstError()
}

// span returns the extent of n. A broken tree can have nodes that end past the
// file or before they begin.
func (g *goOutliner) span(n ast.Node) symbols.Span {
	from := g.offset(n.Pos())
	return symbols.Span{From: from, To: max(from, g.offset(n.End()))}
}

// offset converts p, held inside the file; line directives change nothing.
func (g *goOutliner) offset(p token.Pos) int {
	return min(max(int(p)-g.file.Base(), 0), len(g.source))
}

// add appends one definition and returns its number. What an error follows on
// the same line may go on in it.
func (g *goOutliner) add(parent int, kind string, at symbols.Span, names ...string) int {
	broken := -1
	if g.broken >= 0 && (g.broken <= at.To || bytes.IndexByte(g.source[at.To:g.broken], '\n') < 0) {
		broken = g.broken
	}
	g.out.Defs = append(g.out.Defs, symbols.Def{
		Parent: parent, Names: names, Kind: kind, Span: at, Broken: broken,
		Doc: symbols.DocStart(g.source, g.comments, at.From),
	})
	return len(g.out.Defs) - 1
}

func (g *goOutliner) decl(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		g.function(d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			at := g.span(spec)
			if !d.Lparen.IsValid() {
				at = g.span(d)
			}
			g.spec(d.Tok, spec, at)
		}
	}
}

func (g *goOutliner) function(d *ast.FuncDecl) {
	if d.Recv == nil {
		g.named(-1, "function", g.span(d), d.Name)
		return
	}
	if len(d.Recv.List) != 1 || d.Name.Name == "_" {
		return
	}
	if of := baseName(d.Recv.List[0].Type); of != "" {
		g.add(-1, "method", g.span(d), of, d.Name.Name)
	}
}

// named adds a definition unless its name is blank.
func (g *goOutliner) named(parent int, kind string, at symbols.Span, name *ast.Ident) int {
	if name.Name == "_" || name.Name == "" {
		return -1
	}
	return g.add(parent, kind, at, name.Name)
}

// spec adds what one specification declares. Names that share one, as in
// "var a, b = f()", all have its whole extent.
func (g *goOutliner) spec(tok token.Token, spec ast.Spec, at symbols.Span) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if of := g.named(-1, "type", at, s.Name); of >= 0 {
			g.members(of, s.Type)
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			g.named(-1, tok.String(), at, name)
		}
	}
}

// members adds the fields of a struct type, however deep, and the methods of an
// interface type. A struct type that several fields share has no members of any
// one of them; going into it for each would take exponential time.
func (g *goOutliner) members(parent int, t ast.Expr) {
	switch t := ast.Unparen(t).(type) {
	case *ast.StructType:
		for _, f := range t.Fields.List {
			g.field(parent, f)
		}
	case *ast.InterfaceType:
		for _, m := range t.Methods.List {
			for _, name := range m.Names {
				g.named(parent, "method", g.span(m), name)
			}
		}
	}
}

func (g *goOutliner) field(parent int, f *ast.Field) {
	at := g.span(f)
	if len(f.Names) == 0 {
		if name := baseName(f.Type); name != "" && name != "_" {
			g.add(parent, "field", at, name)
		}
		return
	}
	for _, name := range f.Names {
		of := g.named(parent, "field", at, name)
		if of >= 0 && len(f.Names) == 1 {
			g.members(of, f.Type)
		}
	}
}

// baseName returns the name of a receiver's or embedded field's type, without
// pointer, package and type arguments.
func baseName(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.SelectorExpr:
			return x.Sel.Name
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

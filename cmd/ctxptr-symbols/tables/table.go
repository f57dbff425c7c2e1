package tables

import (
	"sync"

	"ctxptr/authority/selector/symbols"
)

// made has the tables that were asked for: making one takes longer than outlining a
// small file.
var made sync.Map // language → *Language

// Of returns the table of a language, nil where there is none. It is built when
// asked for.
func Of(language string) *Language {
	if l, ok := made.Load(language); ok {
		return l.(*Language)
	}
	l := tableOf(language)
	if l != nil {
		made.Store(language, l)
	}
	return l
}

func tableOf(language string) *Language {
	switch language {
	case symbols.Bash:
		return bash()
	case symbols.C:
		return c()
	case symbols.CPP:
		return cpp()
	case symbols.CSharp:
		return cSharp()
	case symbols.Java:
		return java()
	case symbols.JavaScript:
		return javaScript()
	case symbols.Kotlin:
		return kotlin()
	case symbols.PHP:
		return php()
	case symbols.Python:
		return python()
	case symbols.Ruby:
		return ruby()
	case symbols.Rust:
		return rust()
	case symbols.Scala:
		return scala()
	case symbols.TSX:
		return withJSX(typeScript())
	case symbols.TypeScript:
		return typeScript()
	}
	return nil
}

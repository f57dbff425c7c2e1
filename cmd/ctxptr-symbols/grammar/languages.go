//go:build cgo

package grammar

import (
	"unsafe"

	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"
	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	c "github.com/tree-sitter/tree-sitter-c/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"ctxptr/authority/selector/symbols"
)

// Languages returns the languages of this build, sorted.
func Languages() []string {
	return []string{
		symbols.Bash, symbols.C, symbols.CHeader, symbols.CSharp, symbols.CPP, symbols.Java, symbols.JavaScript,
		symbols.Kotlin, symbols.PHP, symbols.Python, symbols.Ruby, symbols.Rust, symbols.Scala, symbols.TSX,
		symbols.TypeScript,
	}
}

// pointerOf returns the grammar of a language, nil where there is none.
func pointerOf(language string) unsafe.Pointer {
	switch language {
	case symbols.Bash:
		return bash.Language()
	case symbols.C:
		return c.Language()
	case symbols.CPP:
		return cpp.Language()
	case symbols.CSharp:
		return csharp.Language()
	case symbols.Java:
		return java.Language()
	case symbols.JavaScript:
		return javascript.Language()
	case symbols.Kotlin:
		return kotlin.Language()
	case symbols.PHP:
		return php.LanguagePHP()
	case symbols.Python:
		return python.Language()
	case symbols.Ruby:
		return ruby.Language()
	case symbols.Rust:
		return rust.Language()
	case symbols.Scala:
		return scala.Language()
	case symbols.TSX:
		return typescript.LanguageTSX()
	case symbols.TypeScript:
		return typescript.LanguageTypescript()
	}
	return nil
}

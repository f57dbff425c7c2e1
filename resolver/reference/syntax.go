package reference

import (
	"bytes"
	"strings"
	"sync"
)

// syntax reads a whole document.
type syntax func(*finder)

// What several languages share. The tables that use these names are laid down by the
// compiler; a field of another table would be copied whenever the program starts.
var (
	slashes   = []string{"//"}
	starred   = [][2]string{{"/*", "*/"}}
	bananas   = [][2]string{{"(*", "*)"}}
	backticks = [][2]string{{"`", "`"}}
	triple    = [][2]string{{`"""`, `"""`}}
	triples   = [][2]string{{`"""`, `"""`}, {`'''`, `'''`}}
)

// The ways in which languages write comments.
var (
	cLike   = comments{line: slashes, block: starred, quotes: `"'`}
	java    = comments{line: slashes, block: starred, quotes: `"'`, long: triple}
	golang  = comments{line: slashes, block: starred, quotes: `"'`, long: backticks}
	script  = comments{line: slashes, block: starred, quotes: `"'`, long: backticks, regexp: true}
	rust    = comments{line: slashes, block: starred, quotes: `"`, long: [][2]string{{`r##"`, `"##`}, {`r#"`, `"#`}}, nested: true}
	swift   = comments{line: slashes, block: starred, quotes: `"`, long: triple, nested: true}
	php     = comments{line: []string{"//", "#"}, block: starred, quotes: `"'`}
	css     = comments{block: starred, quotes: `"'`}
	markup  = comments{block: [][2]string{{"<!--", "-->"}}}
	single  = comments{line: slashes, block: [][2]string{{"/*", "*/"}, {"<!--", "-->"}}}
	python  = comments{line: []string{"#"}, quotes: `"'`, long: triples, docs: true}
	elixir  = comments{line: []string{"#"}, quotes: `"`, long: triple}
	ruby    = comments{line: []string{"#"}, block: [][2]string{{"\n=begin", "\n=end"}}, quotes: `"'`, spaced: true}
	shell   = comments{line: []string{"#"}, quotes: `"'`, spaced: true}
	power   = comments{line: []string{"#"}, block: [][2]string{{"<#", "#>"}}, quotes: `"'`, spaced: true}
	hcl     = comments{line: []string{"#", "//"}, block: starred, quotes: `"`}
	nix     = comments{line: []string{"#"}, block: starred, quotes: `"`, long: [][2]string{{"''", "''"}}, spaced: true}
	sql     = comments{line: []string{"--"}, block: starred, quotes: `'`}
	lua     = comments{line: []string{"--"}, block: [][2]string{{"--[[", "]]"}}, quotes: `"'`, long: [][2]string{{"[[", "]]"}}}
	haskell = comments{line: []string{"--"}, block: [][2]string{{"{-", "-}"}}, quotes: `"`, nested: true}
	ada     = comments{line: []string{"--"}, quotes: `"`}
	ocaml   = comments{block: bananas, quotes: `"`, nested: true}
	fsharp  = comments{line: []string{"//"}, block: bananas, quotes: `"`, long: triple, nested: true}
	lisp    = comments{line: []string{";"}, block: [][2]string{{"#|", "|#"}}, quotes: `"`}
	tex     = comments{line: []string{"%"}}
	erlang  = comments{line: []string{"%"}, quotes: `"`}
	ini     = comments{line: []string{"#", ";"}, spaced: true}
	batch   = comments{line: []string{"REM ", "rem ", "::"}}
	vim     = comments{line: []string{`"`}, spaced: true}
	toml    = comments{line: []string{"#"}, quotes: `"'`, long: triples, values: true}
)

// syntaxes are the ways to read a document, by extensions in lower case. They are
// made when a document is read, not when the program starts.
var syntaxes = sync.OnceValue(func() map[string]syntax {
	m := map[string]syntax{}
	put := func(s syntax, extensions string) {
		for e := range strings.FieldsSeq(extensions) {
			m[e] = s
		}
	}
	put((*finder).readMarkdown, "md markdown mdown mkd mdx mdc qmd rmd")
	put((*finder).readYAML, "yaml yml cff")
	put((*finder).readJSON, "json jsonc json5 jsonl ndjson webmanifest geojson excalidraw ipynb code-workspace")
	put(toml.read, "toml")
	put(cLike.read, "c h cc cpp cxx hpp hh hxx ipp inl m mm cu cuh glsl vert frag wgsl hlsl cs proto thrift sol d v sv zig idl fbs gradle hx")
	put(java.read, "java kt kts scala sc groovy dart")
	put(golang.read, "go")
	put(script.read, "js jsx mjs cjs ts tsx mts cts")
	put(rust.read, "rs")
	put(swift.read, "swift")
	put(php.read, "php")
	put(css.read, "css")
	put(cLike.read, "scss less sass styl")
	put(markup.read, "html htm xhtml xml svg xsl xslt xsd plist csproj fsproj vbproj props targets storyboard xaml resx")
	put(single.read, "vue svelte astro")
	put(python.read, "py pyi pyx pxd bzl bazel star")
	put(elixir.read, "ex exs jl")
	put(ruby.read, "rb rake gemspec")
	put(shell.read, "sh bash zsh fish ksh bats pl pm r tcl mk cmake awk sed nim coffee cr gd rego just env dockerfile makefile conf")
	put(power.read, "ps1 psm1 psd1")
	put(hcl.read, "tf tfvars hcl")
	put(nix.read, "nix")
	put(sql.read, "sql")
	put(lua.read, "lua")
	put(haskell.read, "hs lhs elm purs")
	put(ada.read, "adb ads vhd vhdl")
	put(ocaml.read, "ml mli")
	put(fsharp.read, "fs fsi fsx")
	put(lisp.read, "lisp cl el scm ss rkt clj cljs cljc edn")
	put(tex.read, "tex sty cls bib")
	put(erlang.read, "erl hrl")
	put(ini.read, "ini cfg editorconfig properties gitconfig service")
	put(batch.read, "bat cmd")
	put(vim.read, "vim")
	return m
})

// names are files that have no extension to go by, in lower case.
var names = sync.OnceValue(func() map[string]syntax {
	return map[string]syntax{
		"makefile": shell.read, "gnumakefile": shell.read, "dockerfile": shell.read, "containerfile": shell.read, "jenkinsfile": java.read,
		"vagrantfile": ruby.read, "gemfile": ruby.read, "rakefile": ruby.read, "podfile": ruby.read, "brewfile": ruby.read, "justfile": shell.read,
		"cmakelists.txt": shell.read, "build": python.read, "workspace": python.read, "tiltfile": python.read,
		".gitignore": shell.read, ".gitattributes": shell.read, ".dockerignore": shell.read, ".npmignore": shell.read, ".prettierignore": shell.read,
		".eslintignore": shell.read, "codeowners": shell.read, ".env": shell.read, ".bashrc": shell.read, ".zshrc": shell.read, ".profile": shell.read,
		".editorconfig": ini.read, ".gitconfig": ini.read, ".gitmodules": ini.read, ".vimrc": vim.read,
		".prettierrc": (*finder).readJSON, ".eslintrc": (*finder).readJSON, ".babelrc": (*finder).readJSON, "pipfile": toml.read,
		"cargo.lock": toml.read, "poetry.lock": toml.read, "uv.lock": toml.read,
	}
})

// syntaxOf returns how the document at path is read, nil for plain text.
func syntaxOf(path string, data []byte) syntax {
	name := strings.ToLower(lastSegment(path))
	if s, ok := names()[name]; ok {
		return s
	}
	if strings.HasPrefix(name, "dockerfile.") || strings.HasPrefix(name, "makefile.") {
		return shell.read
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return interpreted(data)
	}
	return syntaxes()[name[i+1:]]
}

// interpreted returns how a script is read, going by its first line; nil when it
// is none.
func interpreted(data []byte) syntax {
	line := data[:lineLength(data)]
	if !bytes.HasPrefix(line, []byte("#!")) {
		return nil
	}
	for _, i := range []struct {
		name string
		read syntax
	}{
		{"python", python.read}, {"ruby", ruby.read}, {"node", script.read}, {"deno", script.read}, {"bun", script.read},
		{"php", php.read}, {"lua", lua.read}, {"pwsh", power.read},
	} {
		if bytes.Contains(line, []byte(i.name)) {
			return i.read
		}
	}
	return shell.read
}

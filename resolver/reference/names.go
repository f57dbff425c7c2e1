package reference

import (
	"strings"
	"sync"
)

// wordSet is a set of words, made when it is first asked.
type wordSet struct {
	words string
	once  sync.Once
	set   map[string]bool
}

func (s *wordSet) has(word string) bool {
	s.once.Do(func() {
		s.set = map[string]bool{}
		for w := range strings.FieldsSeq(s.words) {
			s.set[w] = true
		}
	})
	return s.set[word]
}

// knownExtensions are extensions that no method, host or package name in running
// text is likely to end in.
var knownExtensions = wordSet{words: `
	adoc asciidoc asm astro awk bash bat bazel bib bzl c cc cfg cjs clj cljs cls cmake cmd coffee conf config
	cpp cs cshtml csproj css csv cts cu cue cxx d dart diff dockerfile edn ejs el elm env erb erl ex exs f90 feature
	fish fs fsx gd gemspec gitignore gleam glsl go gql gradle graphql groovy gv h haml hbs hcl heex hh hpp hs htm html hxx
	idl ini ino ipynb java jinja jinja2 jl js json json5 jsonc jsonl jsx just kt kts less lhs lock log lua m md mdc mdown mdx mk ml mli
	mm mod mts mustache nim nix ndjson njk pas patch php pl plist pm po pod postcss prisma proto ps1 psm1 pug purs py pyi pyx
	qmd r rake rb re res rego rkt rmd rs rst rules s sass sbt scala scm scss sh sha256 sln snap sol sql styl sum svelte svg swift
	sv t tcl template tex tf tfvars thrift tmpl tmLanguage toml tpl ts tsv tsx twig txt txtar vb vbs vert vim vue wat
	wgsl wxml xaml xml xsd xsl yaml yml zig zsh png jpg jpeg gif webp pdf ico woff2 mp4 tmp bak sample example
	proj props targets resx storyboard entitlements pbxproj xcconfig webmanifest http rest tape mako liquid j2
`}

// knownNames are names of files without an extension.
var knownNames = wordSet{words: `
	Makefile GNUmakefile makefile Dockerfile Containerfile Jenkinsfile Vagrantfile Procfile Rakefile Gemfile Brewfile Podfile
	Justfile justfile Caddyfile Tiltfile Earthfile BUILD WORKSPACE LICENSE COPYING NOTICE README CHANGELOG CODEOWNERS AUTHORS CONTRIBUTING
	Kconfig Kbuild .gitignore .gitattributes .gitmodules .dockerignore .npmrc .nvmrc .env .editorconfig .eslintrc .prettierrc .babelrc .bashrc
	.zshrc .vimrc .mailmap .rspec .rubocop.yml .flake8 .pylintrc .clang-format .clang-tidy .eslintignore .prettierignore .npmignore
	.cursorrules .windsurfrules .clinerules .goreleaser .mcp.json .envrc .tool-versions
`}

// topDomains are endings of host names.
var topDomains = wordSet{words: `com org net io dev in app ai co edu gov uk de fr internal local localhost cloud page sh xyz us eu me info`}

// systemFolders are the first folders of absolute paths.
var systemFolders = wordSet{words: `Applications Library System Users Volumes bin boot dev etc home lib lib64 media mnt opt private proc root run sbin sys tmp usr var`}

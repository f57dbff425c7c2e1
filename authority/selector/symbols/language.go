package symbols

import (
	"bytes"
	"path"
	"strings"
)

// The languages by name. CHeader is a file that may be C or C++: it is read as
// C, and as C++ only where it is no C. Swift is known by name only.
const (
	Bash       = "bash"
	C          = "c"
	CHeader    = "c_header"
	CPP        = "cpp"
	CSharp     = "c_sharp"
	Go         = "go"
	Java       = "java"
	JavaScript = "javascript"
	Kotlin     = "kotlin"
	PHP        = "php"
	Python     = "python"
	Ruby       = "ruby"
	Rust       = "rust"
	Scala      = "scala"
	Swift      = "swift"
	TSX        = "tsx"
	TypeScript = "typescript"
)

// Of returns the language of the file at the slash-separated path name, empty
// where none is known: by extension, else by name, else by its "#!" line.
func Of(name string, source []byte) string {
	base := path.Base(name)
	if l := byExtension(path.Ext(base)); l != "" {
		return l
	}
	switch base {
	case "Rakefile", "Gemfile", "Vagrantfile", "Guardfile", "Capfile", "Brewfile":
		return Ruby
	case ".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".profile":
		return Bash
	}
	if path.Ext(base) == "" {
		return byShebang(source)
	}
	return ""
}

func byExtension(ext string) string {
	switch ext {
	case ".go":
		return Go
	case ".py", ".pyi", ".pyw":
		return Python
	case ".js", ".mjs", ".cjs", ".jsx":
		return JavaScript
	case ".ts", ".mts", ".cts":
		return TypeScript
	case ".tsx":
		return TSX
	case ".rs":
		return Rust
	case ".java":
		return Java
	case ".c":
		return C
	case ".h":
		return CHeader
	case ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp":
		return CPP
	}
	return byRarerExtension(ext)
}

func byRarerExtension(ext string) string {
	switch ext {
	case ".cs":
		return CSharp
	case ".rb", ".rake", ".gemspec", ".ru":
		return Ruby
	case ".php", ".phtml", ".php5", ".php7", ".php8":
		return PHP
	case ".sh", ".bash", ".bats":
		return Bash
	case ".kt", ".kts":
		return Kotlin
	case ".scala", ".sc", ".sbt":
		return Scala
	case ".swift":
		return Swift
	}
	return ""
}

// byShebang returns the language of the interpreter that a "#!" line names,
// directly or through env.
func byShebang(source []byte) string {
	line, found := bytes.CutPrefix(source, []byte("#!"))
	if !found {
		return ""
	}
	line, _, _ = bytes.Cut(line[:min(len(line), 256)], []byte("\n"))
	words := strings.Fields(string(line))
	for len(words) > 1 && (path.Base(words[0]) == "env" || words[0] == "-S") {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	switch strings.TrimRight(path.Base(words[0]), "0123456789.") {
	case "sh", "bash", "dash":
		return Bash
	case "python":
		return Python
	case "node":
		return JavaScript
	case "ruby":
		return Ruby
	case "php":
		return PHP
	}
	return ""
}

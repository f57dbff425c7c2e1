package reference

import (
	"cmp"
	"strings"
)

// linkReference reads a link's destination without its escapes. A destination
// that names nothing, empty or #, is none. Path "" means the document itself.
func linkReference(destination string) (r Reference, ok bool) {
	if destination == "" || destination == "#" {
		return r, false
	}
	if t, ok := permalink(destination); ok {
		return Reference{Form: Permalink, Target: t}, true
	}
	destination, rooted := strings.CutPrefix(destination, projectRoot)
	if rooted {
		destination = "/" + destination
	}
	r = Reference{Form: Link, Skip: linkSkip(destination)}
	if r.Skip == Elsewhere {
		return r, true
	}
	path, fragment := splitFragment(destination)
	path, _, _ = strings.Cut(path, "?")
	path, lines := cutLines(path)
	r.Target = Target{Base: FromDocument, Path: decode(path), Lines: lines}
	if rest, rooted := strings.CutPrefix(r.Target.Path, "/"); rooted {
		r.Target.Base, r.Target.Path = FromRoot, cmp.Or(rest, "./")
	}
	if fragment != "" {
		r.Target.setFragment(fragment)
	}
	return r, true
}

// linkSkip is why a destination cannot be proven, "" when it can.
func linkSkip(destination string) Skip {
	switch {
	case isAddress(destination), strings.HasPrefix(destination, "//"), strings.HasPrefix(destination, "~/"), isMail(destination):
		return webSkip(destination)
	case isPlaceholder(destination), namesLink(destination):
		return Placeholder
	}
	return ""
}

// namesLink reports whether a destination only says what is to stand there: url,
// DOCS_URL.
func namesLink(destination string) bool {
	switch destination {
	case "url", "URL", "link":
		return true
	}
	return destination == strings.ToUpper(destination) && (strings.HasSuffix(destination, "_URL") || strings.HasSuffix(destination, "_LINK"))
}

// isMail reports whether a destination is a mail address.
func isMail(destination string) bool {
	name, host, found := strings.Cut(destination, "@")
	return found && name != "" && strings.Contains(host, ".") && !strings.ContainsAny(destination, "/#?") && !knownFile(destination)
}

// isAddress reports whether a destination has a scheme, or is a path of Windows.
// a.ts:12 is a file and a line.
func isAddress(destination string) bool {
	scheme, rest, found := strings.Cut(destination, ":")
	if !found || scheme == "" || !isAlpha(scheme[0]) {
		return false
	}
	for i := range len(scheme) {
		if !isSchemeByte(scheme[i]) {
			return false
		}
	}
	return !knownFile(scheme) || rest == "" || !is(rest[0], digitByte)
}

// cutLines cuts :12-34 off a path.
func cutLines(path string) (string, [2]int) {
	i := strings.IndexByte(path, ':')
	if i < 0 || !knownFile(path[:i]) {
		return path, [2]int{}
	}
	f := finder{data: []byte(path)}
	lines, end, ok := f.lineNumbers(i+1, len(path))
	if !ok || end != len(path) {
		return path, [2]int{}
	}
	return path[:i], lines
}

package gitref

import (
	"bytes"
	"context"
	"strings"
)

// Stored is the form in which git add stores a file's bytes.
type Stored struct {
	Data       []byte
	Conversion string // "eol" when line endings were changed, else ""
}

// ToGit returns what git add would store for a regular file of the worktree with
// these bytes, at a path from the top: attributes, core.autocrlf, core.eol and
// what the index already holds decide (gitattributes(5), "End-of-line
// conversion"). Where a filter, an encoding or keyword expansion would take part,
// the error is UnknownConversion with the attribute as Subject. The result may
// share data.
func (r *Repo) ToGit(ctx context.Context, path string, data []byte) (Stored, error) {
	return r.toGit(ctx, &r.attrs, path, data)
}

func (r *Repo) toGit(ctx context.Context, a *attributes, path string, data []byte) (Stored, error) {
	attrs, err := r.pathAttributes(ctx, a, path)
	if err != nil {
		return Stored{}, err
	}
	config, err := r.settings()
	if err != nil {
		return Stored{}, err
	}
	if err := knownConversion(config, attrs, data); err != nil {
		return Stored{}, err
	}
	action, err := eolActionOf(config, attrs)
	if err != nil {
		return Stored{}, err
	}
	out, err := r.storeEOL(ctx, path, data, action)
	if err != nil {
		return Stored{}, err
	}
	s := Stored{Data: out}
	if len(out) != len(data) {
		s.Conversion = "eol"
	}
	return s, nil
}

// knownConversion refuses what is not computed here, as far as it would change
// these bytes or could.
func knownConversion(config *config, attrs map[string]Attr, data []byte) error {
	if a := attrs["filter"]; a.State == AttrValue && config.filterRuns(a.Value) {
		return unknownConversion("filter=" + a.Value)
	}
	a := attrs["working-tree-encoding"]
	switch {
	case a.State == AttrSet || a.State == AttrUnset:
		return unknownConversion("working-tree-encoding")
	case a.State == AttrValue && a.Value != "" && !isUTF8(a.Value) && len(data) > 0:
		return unknownConversion("working-tree-encoding=" + a.Value)
	}
	if attrs["ident"].State == AttrSet && bytes.Contains(data, []byte("$Id:")) {
		return unknownConversion("ident")
	}
	return nil
}

// filterRuns reports whether a clean filter of that name is configured, or is
// required and would fail. A filter no configuration defines does nothing.
func (c *config) filterRuns(name string) bool {
	process, hasProcess := c.last("filter." + name + ".process")
	clean, _ := c.last("filter." + name + ".clean")
	required, isSet := c.last("filter." + name + ".required")
	if isSet {
		if on, ok := required.boolValue(); on || !ok {
			return true
		}
	}
	if hasProcess {
		return process.value != ""
	}
	return clean.value != ""
}

// isUTF8 tells the spellings of UTF-8 that git knows.
func isUTF8(encoding string) bool {
	e := strings.ToLower(encoding)
	return e == "utf-8" || e == "utf8"
}

// eolAction is what is done with line endings on the way into the repository.
type eolAction uint8

const (
	eolKeep  eolAction = iota
	eolText            // CRLF becomes LF
	eolGuess           // the same, if the bytes look like text
)

// eolActionOf decides as git's convert_attrs does.
func eolActionOf(config *config, attrs map[string]Attr) (eolAction, error) {
	auto, err := config.autoCRLF()
	if err != nil {
		return eolKeep, err
	}
	action, stated := textAction(attrs["text"])
	if !stated {
		action, stated = textAction(attrs["crlf"])
	}
	if stated && action != eolText {
		return action, nil
	}
	if eol := attrs["eol"]; stated || eol.State == AttrValue && (eol.Value == "lf" || eol.Value == "crlf") {
		return eolText, nil
	}
	if auto {
		return eolGuess, nil
	}
	return eolKeep, nil
}

// textAction reads the attribute text, or crlf, its older name.
func textAction(a Attr) (action eolAction, stated bool) {
	switch a.State {
	case AttrSet:
		return eolText, true
	case AttrUnset:
		return eolKeep, true
	case AttrValue:
		switch a.Value {
		case "input":
			return eolText, true
		case "auto":
			return eolGuess, true
		}
	}
	return eolKeep, false
}

// autoCRLF reports whether core.autocrlf is true or input.
func (c *config) autoCRLF() (bool, error) {
	if v, _ := c.last("core.autocrlf"); strings.EqualFold(v.value, "input") {
		return true, nil
	}
	return c.boolean("core.autocrlf", false)
}

func (r *Repo) storeEOL(ctx context.Context, path string, data []byte, action eolAction) ([]byte, error) {
	if action == eolKeep || !bytes.Contains(data, []byte("\r\n")) {
		return data, nil
	}
	if action == eolGuess {
		if looksBinary(data) {
			return data, nil
		}
		// What was committed with CRLF before stays so, lest an unchanged file
		// count as changed.
		if kept, err := r.indexHasCRLF(ctx, path); kept || err != nil {
			return data, err
		}
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), nil
}

// maxIndexBlob bounds the indexed content that is looked at for CRLF.
const maxIndexBlob = 1 << 30

func (r *Repo) indexHasCRLF(ctx context.Context, path string) (bool, error) {
	data, found, err := r.indexBlob(ctx, path, maxIndexBlob)
	if err != nil || !found {
		return false, err
	}
	return bytes.Contains(data, []byte("\r\n")) && !looksBinary(data), nil
}

// looksBinary is git's guess: a NUL, a lone CR, or more than one unprintable
// byte in 128 printable ones.
func looksBinary(data []byte) bool {
	printable, unprintable := 0, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\r':
			if i+1 == len(data) || data[i+1] != '\n' {
				return true
			}
			i++
		case c == 0:
			return true
		case c == '\n':
		case c == '\b', c == '\t', c == '\f', c == 0x1b:
			printable++
		case c < ' ', c == 0x7f:
			unprintable++
		default:
			printable++
		}
	}
	if n := len(data); n > 0 && data[n-1] == 0x1a {
		unprintable-- // a DOS end-of-file mark
	}
	return printable>>7 < unprintable
}

package gitref

import (
	"bytes"
	"fmt"
	"strings"
)

// A configVar is one variable of a git configuration file, in file order.
type configVar struct {
	key      string // section and variable name in lower case, subsection as written: "remote.Origin.url"
	value    string
	implicit bool   // written without "=", which git reads as true
	origin   string // folder of the file it stands in, "" for the environment
	own      bool   // stands in the repository's own files, or what they include
}

// configSyntaxError says on which line a configuration file stops being one.
type configSyntaxError struct{ line int }

func (e *configSyntaxError) Error() string { return fmt.Sprintf("bad config line %d", e.line) }

// parseConfig reads the syntax of git-config(1), "CONFIGURATION FILE", and calls
// f for each variable in order. It stops at the first error, f's or its own (a
// *configSyntaxError). A NUL byte is an error: git would cut the value there.
func parseConfig(data []byte, f func(key, value string, implicit bool) error) error {
	p := configParser{data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), line: 1, emit: f}
	if bytes.IndexByte(data, 0) >= 0 {
		return &configSyntaxError{line: 1 + bytes.Count(data[:bytes.IndexByte(data, 0)], []byte("\n"))}
	}
	for !p.done() {
		ok, err := p.element()
		if err != nil {
			return err
		}
		if !ok {
			return &configSyntaxError{line: p.line}
		}
	}
	return nil
}

type configParser struct {
	data  []byte
	pos   int
	line  int
	stem  string // "section." or "section.subsection."
	value []byte
	emit  func(key, value string, implicit bool) error
}

func (p *configParser) done() bool { return p.pos >= len(p.data) }

// next returns the next byte; CRLF counts as LF, and so does the end.
func (p *configParser) next() byte {
	c := p.peek()
	if c == '\n' && !p.done() && p.data[p.pos] == '\r' {
		p.pos++
	}
	p.pos++
	if c == '\n' {
		p.line++
	}
	return c
}

func (p *configParser) peek() byte {
	if p.done() {
		return '\n'
	}
	c := p.data[p.pos]
	if c == '\r' && (p.pos+1 == len(p.data) || p.data[p.pos+1] != '\n') {
		return c
	}
	if c == '\r' {
		return '\n'
	}
	return c
}

// element reads white space, a comment, a section header or a variable.
func (p *configParser) element() (bool, error) {
	line := p.line
	switch c := p.next(); {
	case gitSpace(c):
		return true, nil
	case c == '#' || c == ';':
		p.skipLine()
		return true, nil
	case c == '[':
		if ok := p.section(); !ok {
			p.line = line
			return false, nil
		}
		return true, nil
	case isAlpha(c):
		return p.variable(c)
	default:
		return false, nil
	}
}

func (p *configParser) skipLine() {
	for p.next() != '\n' {
	}
}

func (p *configParser) section() bool {
	var name []byte
	for !p.done() {
		c := p.next()
		switch {
		case c == ']':
			p.stem = string(name) + "."
			return true
		case gitSpace(c):
			return p.subsection(name, c)
		case !isKeyByte(c) && c != '.':
			return false
		}
		name = append(name, lower(c))
	}
	return false
}

func (p *configParser) subsection(name []byte, c byte) bool {
	for gitSpace(c) {
		if c == '\n' {
			return false
		}
		c = p.next()
	}
	if c != '"' {
		return false
	}
	name = append(name, '.')
	for {
		switch c = p.next(); c {
		case '\n':
			return false
		case '"':
			p.stem = string(name) + "."
			return p.next() == ']'
		case '\\':
			if c = p.next(); c == '\n' {
				return false
			}
		}
		name = append(name, c)
	}
}

func (p *configParser) variable(first byte) (bool, error) {
	name := []byte{lower(first)}
	for !p.done() && isKeyByte(p.peek()) {
		name = append(name, lower(p.next()))
	}
	c := p.next()
	for c == ' ' || c == '\t' {
		c = p.next()
	}
	key := p.stem + string(name)
	if c == '\n' {
		return true, p.emit(key, "", true)
	}
	line := p.line
	if c != '=' || !p.readValue() {
		p.line = line
		return false, nil
	}
	return true, p.emit(key, string(p.value), false)
}

// readValue reads a value up to the end of its (possibly continued) line.
func (p *configParser) readValue() bool {
	p.value = p.value[:0]
	quoted, trim := false, -1
	for {
		c := p.next()
		switch {
		case c == '\n':
			if trim >= 0 {
				p.value = p.value[:trim]
			}
			return !quoted
		case gitSpace(c) && !quoted:
			if trim < 0 {
				trim = len(p.value)
			}
			if len(p.value) > 0 {
				p.value = append(p.value, c)
			}
			continue
		case (c == '#' || c == ';') && !quoted:
			p.skipLine()
			if trim >= 0 {
				p.value = p.value[:trim]
			}
			return true
		case c == '"':
			quoted, trim = !quoted, -1
			continue
		case c == '\\':
			if !p.escape() {
				return false
			}
			trim = -1 // also before a continued line, where git keeps the space
			continue
		}
		trim = -1
		p.value = append(p.value, c)
	}
}

// escape reads what follows a backslash in a value.
func (p *configParser) escape() bool {
	c := p.next()
	switch c {
	case '\n':
		return true
	case 't':
		c = '\t'
	case 'b':
		c = '\b'
	case 'n':
		c = '\n'
	case '\\', '"':
	default:
		return false
	}
	p.value = append(p.value, c)
	return true
}

// gitSpace is git's own isspace: no vertical tab, no form feed.
func gitSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isAlpha(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isKeyByte(c byte) bool { return isAlpha(c) || isDigit(c) || c == '-' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// canonicalKey checks a key given outside a file ("core.autoCRLF",
// "remote.Origin.url") and lowers its section and variable names.
func canonicalKey(key string) (string, bool) {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first <= 0 || last == len(key)-1 || !isAlpha(key[last+1]) {
		return "", false
	}
	out := []byte(key)
	for i, c := range out {
		switch {
		case i < first || i > last:
			if !isKeyByte(c) {
				return "", false
			}
			out[i] = lower(c)
		case c == '\n':
			return "", false
		}
	}
	return string(out), true
}

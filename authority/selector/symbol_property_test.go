package selector

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"ctxptr/authority/selector/symbols"
)

var (
	propertyFolder  = flag.String("folder", "", "the folder of source that TestSymbolProperty checks; the project's own by default")
	propertySymbols = flag.Int("symbols", 10_000, "the most symbols of one language that TestSymbolProperty checks")
)

// maxPropertyFile is the size of the largest file that is looked at.
const maxPropertyFile = 1 << 20

// tally counts what was checked of one language.
type tally struct {
	files, bytes, refused    int
	listed, inserted, edited int
}

// propertyChecker proves on real source what the selectors promise.
type propertyChecker struct {
	*testing.T
	ctx     context.Context
	most    int
	tallies map[string]*tally
}

// TestSymbolProperty holds on real source that what is listed resolves to
// exactly its range; that ranges nest; that text inserted above, below and
// between definitions leaves every selected byte as it was; and that an edit
// inside a definition does not. With -v it prints the counts by language.
func TestSymbolProperty(t *testing.T) {
	ctx, _ := testSession(t, SessionOptions{})
	folder := *propertyFolder
	if folder == "" {
		folder = filepath.Join("..", "..")
	}
	c := &propertyChecker{T: t, ctx: ctx, most: *propertySymbols, tallies: make(map[string]*tally)}
	if err := filepath.WalkDir(folder, c.visit); err != nil {
		t.Fatal(err)
	}
	c.print()
}

func (c *propertyChecker) visit(path string, d fs.DirEntry, err error) error {
	if err != nil || !d.Type().IsRegular() {
		return err
	}
	if info, err := d.Info(); err != nil || info.Size() > maxPropertyFile {
		return err
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	language := symbols.Of(path, source)
	if language == "" || language == symbols.Swift {
		return nil
	}
	t := c.tallies[language]
	if t == nil {
		t = &tally{}
		c.tallies[language] = t
	}
	if t.listed < c.most {
		c.file(t, path, language, source)
	}
	return nil
}

// file checks one file.
func (c *propertyChecker) file(t *tally, path, language string, source []byte) {
	d := NewDocument(path, source)
	list, err := Symbols(c.ctx, d)
	t.files++
	t.bytes += len(source)
	if err != nil {
		t.refused++
		return
	}
	t.listed += len(list)
	for _, l := range list {
		if r, err := c.choose(l.Selector, d); err != nil || r != l.Range {
			c.Errorf("%s: %s: listed %v, selected %v, %v", path, l.Selector, l.Range, r, err)
		}
	}
	c.nest(path, list)
	c.insert(t, path, language, source, list)
	c.edit(t, path, source, list)
}

func (c *propertyChecker) choose(text string, d *Document) (Range, error) {
	s, err := Parse(text)
	if err != nil {
		return Range{}, err
	}
	if s.String() != text {
		return Range{}, fmt.Errorf("not canonical: %s", s)
	}
	return s.Select(c.ctx, d)
}

// nest checks that of two ranges one holds the other or they are apart.
func (c *propertyChecker) nest(path string, list []Listed) {
	sorted := slices.Clone(list)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i].Range, sorted[j].Range
		return a.From < b.From || a.From == b.From && a.To > b.To
	})
	var open []Range
	for _, l := range sorted {
		for len(open) > 0 && open[len(open)-1].To <= l.From {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && l.To > open[len(open)-1].To {
			c.Errorf("%s: %s %v does not nest with %v", path, l.Selector, l.Range, open[len(open)-1])
		}
		open = append(open, l.Range)
	}
}

// insert checks that comments and blank lines above, below and between the
// outermost definitions change nothing.
func (c *propertyChecker) insert(t *tally, path, language string, source []byte, list []Listed) {
	d := NewDocument(path, insertBetween(source, list, comment(language)))
	was := NewDocument(path, source)
	for _, l := range list {
		r, err := c.choose(l.Selector, d)
		t.inserted++
		if err != nil || !bytes.Equal(d.Bytes(r), was.Bytes(l.Range)) {
			c.Errorf("%s: %s selects other bytes behind inserted text: %v", path, l.Selector, err)
		}
	}
}

func comment(language string) []byte {
	switch language {
	case symbols.Python, symbols.Ruby, symbols.Bash:
		return []byte("# put in between\n\n")
	}
	return []byte("// put in between\n\n")
}

// insertBetween puts text on the line before each outermost definition that
// begins its line, and at the end.
func insertBetween(source []byte, list []Listed, text []byte) []byte {
	var out []byte
	at, covered := 0, 0
	for _, l := range list {
		if l.From < covered {
			continue
		}
		covered = l.To
		line := bytes.LastIndexByte(source[:l.From], '\n') + 1
		if line < at || line == 0 || line != l.From || continued(source[:line]) {
			continue
		}
		out = append(append(out, source[at:line]...), text...)
		at = line
	}
	out = append(out, source[at:]...)
	if len(out) > 0 && out[len(out)-1] == '\n' {
		out = append(out, text...)
	}
	return out
}

// continued reports whether the last line of text goes on in the next one.
func continued(text []byte) bool {
	text = bytes.TrimRight(text, "\r\n \t")
	return bytes.HasSuffix(text, []byte(`\`))
}

// edit checks that a letter changed inside a definition is seen: the selector
// selects other bytes or nothing.
func (c *propertyChecker) edit(t *tally, path string, source []byte, list []Listed) {
	was := NewDocument(path, source)
	for i := 0; i < len(list); i += 1 + len(list)/8 {
		l := list[i]
		at := (l.From + l.To) / 2
		changed := bytes.Clone(source)
		changed[at] = 'a' + (changed[at]+1)%26
		if changed[at] == source[at] {
			changed[at] = 'A'
		}
		d := NewDocument(path, changed)
		r, err := c.choose(l.Selector, d)
		t.edited++
		if _, blocked := errors.AsType[*Error](err); !blocked && bytes.Equal(d.Bytes(r), was.Bytes(l.Range)) {
			c.Errorf("%s: %s selects the same bytes with an edit at %d", path, l.Selector, at)
		}
	}
}

// print prints the counts.
func (c *propertyChecker) print() {
	sum := 0
	c.Log("language     files refused  listed inserted  edited")
	for _, l := range slices.Sorted(maps.Keys(c.tallies)) {
		t := c.tallies[l]
		c.Logf("%-11s %6d %7d %7d %8d %7d", l, t.files, t.refused, t.listed, t.inserted, t.edited)
		sum += t.listed
	}
	c.Logf("%d symbols in all", sum)
	if sum == 0 {
		c.Error("nothing was checked")
	}
}

// Symbols-property proves on real source what the selectors promise: what is
// listed resolves to exactly its range; ranges nest; text inserted above, below
// and between definitions leaves every selected byte as it was; and an edit
// inside a definition does not. It prints the counts, by language, and what
// failed.
//
// Usage: go run ./scripts/symbols-property FOLDER [SYMBOLS], from inside the
// module; SYMBOLS is the most to check of one language (10000 by default). It
// builds ctxptr-symbols for itself. Nothing of FOLDER is written anywhere.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strconv"

	"ctxptr/authority/selector"
	"ctxptr/authority/selector/symbols"
)

// maxFile is the size of the largest file that is looked at.
const maxFile = 1 << 20

// tally counts what was checked of one language.
type tally struct {
	files, bytes, refused       int
	listed, inserted, edited    int
	nesting, listing, unchanged int // failures
	changed                     int // failures
}

type checker struct {
	ctx     context.Context
	most    int
	tallies map[string]*tally
}

func main() {
	good, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "symbols-property:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

// run checks a folder and reports whether nothing failed.
func run(args []string) (bool, error) {
	most := 10_000
	if len(args) == 2 {
		n, err := strconv.Atoi(args[1])
		if err != nil || n <= 0 {
			return false, fmt.Errorf("%q is no number of symbols", args[1])
		}
		most, args = n, args[:1]
	}
	if len(args) != 1 {
		return false, errors.New("usage: symbols-property FOLDER [SYMBOLS]")
	}
	dir, err := os.MkdirTemp("", "symbols-property")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	companion := filepath.Join(dir, "ctxptr-symbols")
	if out, err := exec.Command("go", "build", "-o", companion, "ctxptr/cmd/ctxptr-symbols").CombinedOutput(); err != nil {
		return false, fmt.Errorf("%w: %s", err, out)
	}
	s := selector.NewSession(selector.SessionOptions{Companion: companion})
	defer s.Close()
	c := &checker{ctx: selector.WithSession(context.Background(), s), most: most, tallies: make(map[string]*tally)}
	if err := filepath.WalkDir(args[0], c.visit); err != nil {
		return false, err
	}
	return c.print(), nil
}

func (c *checker) visit(path string, d fs.DirEntry, err error) error {
	if err != nil || !d.Type().IsRegular() {
		return err
	}
	if info, err := d.Info(); err != nil || info.Size() > maxFile {
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
func (c *checker) file(t *tally, path, language string, source []byte) {
	d := selector.NewDocument(path, source)
	list, err := selector.Symbols(c.ctx, d)
	t.files++
	t.bytes += len(source)
	if err != nil {
		t.refused++
		return
	}
	t.listed += len(list)
	for _, l := range list {
		if r, err := c.choose(l.Selector, d); err != nil || r != l.Range {
			t.listing++
			fmt.Printf("LISTING %s %s: listed %v, selected %v, %v\n", path, l.Selector, l.Range, r, err)
		}
	}
	c.nest(t, path, list)
	c.insert(t, path, language, source, list)
	c.edit(t, path, source, list)
}

func (c *checker) choose(text string, d *selector.Document) (selector.Range, error) {
	s, err := selector.Parse(text)
	if err != nil {
		return selector.Range{}, err
	}
	if s.String() != text {
		return selector.Range{}, fmt.Errorf("not canonical: %s", s)
	}
	return s.Select(c.ctx, d)
}

// nest checks that of two ranges one holds the other or they are apart.
func (c *checker) nest(t *tally, path string, list []selector.Listed) {
	sorted := slices.Clone(list)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i].Range, sorted[j].Range
		return a.From < b.From || a.From == b.From && a.To > b.To
	})
	var open []selector.Range
	for _, l := range sorted {
		for len(open) > 0 && open[len(open)-1].To <= l.From {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && l.To > open[len(open)-1].To {
			t.nesting++
			fmt.Printf("NESTING %s %s %v in %v\n", path, l.Selector, l.Range, open[len(open)-1])
		}
		open = append(open, l.Range)
	}
}

// insert checks that comments and blank lines above, below and between the
// outermost definitions change nothing.
func (c *checker) insert(t *tally, path, language string, source []byte, list []selector.Listed) {
	d := selector.NewDocument(path, insertBetween(source, list, comment(language)))
	was := selector.NewDocument(path, source)
	for _, l := range list {
		r, err := c.choose(l.Selector, d)
		t.inserted++
		if err != nil || !bytes.Equal(d.Bytes(r), was.Bytes(l.Range)) {
			t.unchanged++
			fmt.Printf("INSERT %s %s: %v\n", path, l.Selector, err)
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
func insertBetween(source []byte, list []selector.Listed, text []byte) []byte {
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
func (c *checker) edit(t *tally, path string, source []byte, list []selector.Listed) {
	was := selector.NewDocument(path, source)
	for i := 0; i < len(list); i += 1 + len(list)/8 {
		l := list[i]
		at := (l.From + l.To) / 2
		changed := bytes.Clone(source)
		changed[at] = 'a' + (changed[at]+1)%26
		if changed[at] == source[at] {
			changed[at] = 'A'
		}
		d := selector.NewDocument(path, changed)
		r, err := c.choose(l.Selector, d)
		t.edited++
		if _, blocked := errors.AsType[*selector.Error](err); !blocked && bytes.Equal(d.Bytes(r), was.Bytes(l.Range)) {
			t.changed++
			fmt.Printf("EDIT %s %s at %d\n", path, l.Selector, at)
		}
	}
}

// print prints the counts and reports whether nothing failed.
func (c *checker) print() bool {
	good := true
	sum := 0
	fmt.Println("language     files refused  listed inserted  edited | failures: listing nesting inserted edited")
	for _, l := range slices.Sorted(maps.Keys(c.tallies)) {
		t := c.tallies[l]
		fmt.Printf("%-11s %6d %7d %7d %8d %7d | %17d %7d %8d %6d\n", l, t.files, t.refused, t.listed, t.inserted, t.edited, t.listing, t.nesting, t.unchanged, t.changed)
		good = good && t.listing+t.nesting+t.unchanged+t.changed == 0
		sum += t.listed
	}
	fmt.Printf("%d symbols in all\n", sum)
	return good
}

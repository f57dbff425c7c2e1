package selector

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ctxptr/authority/selector/symbols"
)

// companionOf builds the companion once for all tests of the package.
var companionOf = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "ctxptr-symbols")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, companionName)
	out, err := exec.Command("go", "build", "-o", path, "ctxptr/cmd/ctxptr-symbols").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	if name, found := strings.CutPrefix(filepath.Base(os.Args[0]), "fake-"); found {
		os.Exit(fakeCompanion(name))
	}
	code := m.Run()
	if path, err := companionOf(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// testSession returns a context with a session on the built companion.
func testSession(t testing.TB, o SessionOptions) (context.Context, *Session) {
	t.Helper()
	path, err := companionOf()
	if err != nil {
		t.Fatal(err)
	}
	o.Companion = path
	s := NewSession(o)
	t.Cleanup(s.Close)
	return WithSession(t.Context(), s), s
}

// symbolVector is one line of testdata/vectors/selector/symbols.jsonl.
type symbolVector struct {
	Format   string   `json:"format"` // the language
	Selector string   `json:"selector"`
	Want     string   `json:"want"` // "range", or the code of a blocked record
	From     int      `json:"from"`
	To       int      `json:"to"`
	Alone    []string `json:"alone"` // of ambiguous:selection: what names each match alone
	Source   string   `json:"source"`
	Why      string   `json:"why"`
	Path     string   `json:"-"`
}

// symbolPath is a file name that stands for a language.
func symbolPath(t testing.TB, format string) string {
	t.Helper()
	extension, known := map[string]string{
		symbols.Bash: "sh", symbols.C: "c", symbols.CHeader: "h", symbols.CPP: "cpp", symbols.CSharp: "cs", symbols.Go: "go",
		symbols.Java: "java", symbols.JavaScript: "js", symbols.Kotlin: "kt", symbols.PHP: "php", symbols.Python: "py",
		symbols.Ruby: "rb", symbols.Rust: "rs", symbols.Scala: "scala", symbols.Swift: "swift", symbols.TSX: "tsx",
		symbols.TypeScript: "ts",
	}[format]
	if !known {
		t.Fatalf("unknown format %q", format)
	}
	return "a." + extension
}

func readSymbolVectors(t testing.TB) []symbolVector {
	t.Helper()
	f, err := os.Open("../../testdata/vectors/selector/symbols.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []symbolVector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var v symbolVector
		dec := json.NewDecoder(strings.NewReader(lines.Text()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		v.Path = symbolPath(t, v.Format)
		list = append(list, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// codeOf names a fault as a vector does.
func codeOf(f Fault) string {
	return [...]string{"", "malformed:selector", "missing:selection", "ambiguous:selection", "malformed:authority", "missing:unsupported_selector", "missing:limit"}[f]
}

func TestSymbolVectors(t *testing.T) {
	ctx, s := testSession(t, SessionOptions{})
	known := append(s.languages(ctx), symbols.Go)
	count := make(map[string]int)
	for _, v := range readSymbolVectors(t) {
		language := symbols.Of(v.Path, []byte(v.Source))
		count[language]++
		t.Run(language+"/"+v.Why, func(t *testing.T) {
			if needs := strings.TrimSuffix(language, "_header"); !slices.Contains(known, needs) && symbols.NotText([]byte(v.Source)) < 0 {
				v.Want, v.Alone = codeOf(Unsupported), nil // as in a build without cgo
			}
			checkVector(ctx, t, v)
		})
	}
	for _, l := range []string{
		symbols.Bash, symbols.C, symbols.CSharp, symbols.CPP, symbols.Go, symbols.Java, symbols.JavaScript, symbols.Kotlin,
		symbols.PHP, symbols.Python, symbols.Ruby, symbols.Rust, symbols.Scala, symbols.TSX, symbols.TypeScript,
	} {
		if count[l] < 10 {
			t.Errorf("%s has %d vectors, want at least 10", l, count[l])
		}
	}
}

func checkVector(ctx context.Context, t *testing.T, v symbolVector) {
	t.Helper()
	sel, err := Parse(v.Selector)
	if err != nil {
		t.Fatal(err)
	}
	d := NewDocument(v.Path, []byte(v.Source))
	r, err := sel.Select(ctx, d)
	if v.Want == "range" {
		if err != nil {
			t.Fatalf("blocked: %v", err)
		}
		if want := (Range{v.From, v.To}); r != want {
			t.Fatalf("got %v %q, want %v %q", r, d.Bytes(r), want, d.Bytes(want))
		}
		checkListed(ctx, t, d, sel, r)
		return
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("got %v %q, want %s", r, d.Bytes(r), v.Want)
	}
	if codeOf(e.Fault) != v.Want {
		t.Fatalf("got %s (%s), want %s", codeOf(e.Fault), e.Proof, v.Want)
	}
	if v.Alone != nil {
		var alone []string
		for _, m := range e.Matches {
			alone = append(alone, m.Alone)
		}
		if !slices.Equal(alone, v.Alone) {
			t.Errorf("alone: got %q, want %q", alone, v.Alone)
		}
	}
}

// checkListed checks that what resolves is listed, and that what is listed
// resolves to its range.
func checkListed(ctx context.Context, t *testing.T, d *Document, sel Selector, r Range) {
	t.Helper()
	list, err := Symbols(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	found := sel.Head() != "symbol" // the list is of plain selectors
	for _, l := range list {
		found = found || l.Range == r
		again, err := Parse(l.Selector)
		if err != nil || again.String() != l.Selector {
			t.Errorf("%s: %v %v", l.Selector, again, err)
			continue
		}
		if got, err := again.Select(ctx, d); err != nil || got != l.Range {
			t.Errorf("%s is listed at %v, but selects %v (%v)", l.Selector, l.Range, got, err)
		}
	}
	if !found {
		t.Errorf("what resolves is not listed: %v", list)
	}
}

package selector

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ctxptr/authority/selector/symbols"
)

func TestParsePath(t *testing.T) {
	for in, want := range map[string]string{
		"A.B.f":                      "A.B.f",
		" A . B\t.\nf ":              "A.B.f",
		"(*T).M":                     "T.M",
		"( * T ) . M":                "T.M",
		"(T).M":                      "T.M",
		"my run":                     "my run",
		`"my run"`:                   "my run",
		`"a.b".c`:                    `"a.b".c`,
		`"a\u002eb"`:                 `"a.b"`,
		`"a\"b"`:                     `"a\"b"`,
		`"\/"`:                       "/",
		`" a"`:                       `" a"`,
		"f()":                        "f()",
		"f( int , Map<String, X[]>)": "f(int,Map<String,X[]>)",
		"f((Int) -> Unit).g":         "f((Int)->Unit).g",
		`f("a)b").g`:                 `f("a)b").g`,
		"< S  as fmt :: Debug >.fmt": "<S as fmt::Debug>.fmt",
		"<S<A, B> as T<(X, Y)>>.f":   "<S<A,B> as T<(X,Y)>>.f",
		"<F as Fn(A) -> B>.call":     "<F as Fn(A)->B>.call",
		"operator<(A<int>)":          "operator<(A<int>)",
		"operator<<":                 "operator<<",
		"operator<=>":                "operator<=>",
		`"operator()"(int)`:          `"operator()"(int)`,
		`"operator,"`:                `"operator,"`,
		"A.<=>":                      "A.<=>",
		"A.[]=":                      "A.[]=",
		"A.#x":                       "A.#x",
		"A.self.ok?":                 "A.self.ok?",
		"$g":                         "$g",
		"a<b":                        "a<b",
		`"a<b,c>"`:                   "a<b,c>",
		`"a<b,c"`:                    `"a<b,c"`,
		"größe.Ñ":                    "größe.Ñ",
		"-":                          "-",
		`"\u0000"`:                   `"\u0000"`,
	} {
		path, err := parsePath(in)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if got := formatPath(path); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestParsePathRefusals(t *testing.T) {
	for in, offset := range map[string]int{
		"":                              0,
		" ":                             1,
		".":                             0,
		"a.":                            2,
		"a..b":                          2,
		"a,b":                           1,
		`a"b`:                           1,
		"a)":                            1,
		"f(int":                         1,
		"f(int)x":                       6,
		"f()()":                         3,
		`"a`:                            0,
		`"a"b`:                          3,
		`""`:                            0,
		`"\x"`:                          0,
		`"\ud800"`:                      0,
		"a\x00b":                        1,
		"a\xffb":                        0,
		"(*T":                           0,
		"()":                            0,
		"(*).M":                         0,
		"(a.b).M":                       0,
		"x.(*T).M":                      2,
		`f("a)`:                         2,
		strings.Repeat("a.", 256) + "a": 512,
	} {
		_, err := parsePath(in)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Fault != Malformed || e.Offset != offset {
			t.Errorf("%.20q: got %+v, want offset %d", in, e, offset)
		}
	}
	if _, err := Parse("symbol+own=f"); err == nil {
		t.Error("symbol+own is accepted")
	}
}

// FuzzParsePath holds that the canonical spelling reads back as the same path
// and is canonical itself.
func FuzzParsePath(f *testing.F) {
	for _, v := range readSymbolVectors(f) {
		_, value, _ := strings.Cut(v.Selector, "=")
		f.Add(value)
	}
	f.Add(`"a\"b<c,d".e<f,(>(x, "y)")`)
	f.Add("<<<,>.operator<(")
	f.Fuzz(func(t *testing.T, value string) {
		path, err := parsePath(value)
		if err != nil {
			if e, ok := errors.AsType[*Error](err); !ok || e.Fault != Malformed || e.Offset < 0 || e.Offset > len(value) {
				t.Fatalf("%#v", err)
			}
			return
		}
		text := formatPath(path)
		again, err := parsePath(text)
		if err != nil || !slices.Equal(again, path) {
			t.Fatalf("%q is %q, which reads as %q (%v)", value, text, again, err)
		}
		if formatPath(again) != text {
			t.Fatalf("%q is not canonical", text)
		}
	})
}

// FuzzName holds that any name has a spelling that reads back as it.
func FuzzName(f *testing.F) {
	for _, name := range []string{"f", "a.b", `"`, "<", "<(", "a <b,", " x", "operator,", "(T)", "\t"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if name == "" || symbols.NotText([]byte(name)) >= 0 {
			return
		}
		path, err := parsePath(formatName(name))
		if err != nil || !slices.Equal(path, []segment{{name: name}}) {
			t.Fatalf("%q is %q, which reads as %q (%v)", name, formatName(name), path, err)
		}
	})
}

// FuzzGo outlines Go source: never a panic, every range inside the source and
// its parent's definition, and what is listed resolves to its range.
func FuzzGo(f *testing.F) {
	for _, v := range readSymbolVectors(f) {
		if strings.HasSuffix(v.Path, ".go") {
			f.Add(v.Source)
		}
	}
	f.Add("package a; type T struct { A, B struct { C, D struct { E int } } }")
	f.Fuzz(func(t *testing.T, source string) { checkOutline(t.Context(), t, "a.go", source) })
}

// FuzzCompanion outlines source in each of the companion's languages, or in the one
// whose extension CTXPTR_FUZZ_LANGUAGE names.
func FuzzCompanion(f *testing.F) {
	ctx, _ := testSession(f, SessionOptions{Processes: 1, Deadline: 200 * time.Millisecond})
	paths := []string{"a.py", "a.js", "a.ts", "a.tsx", "a.rs", "a.java", "a.c", "a.cpp", "a.cs", "a.rb", "a.php", "a.sh", "a.kt", "a.scala", "a.h"}
	if only := os.Getenv("CTXPTR_FUZZ_LANGUAGE"); only != "" {
		paths = []string{"a." + only}
	}
	for _, v := range readSymbolVectors(f) {
		if i := slices.IndexFunc(paths, func(p string) bool { return strings.HasSuffix(p, v.Path[strings.LastIndexByte(v.Path, '.'):]) }); i >= 0 {
			f.Add(uint8(i), v.Source)
		}
	}
	for name, source := range hostile() {
		if i := slices.IndexFunc(paths, func(p string) bool { return strings.HasSuffix(p, name[strings.LastIndexByte(name, '.'):]) }); i >= 0 {
			f.Add(uint8(i), source)
		}
	}
	f.Fuzz(func(t *testing.T, language uint8, source string) {
		checkOutline(ctx, t, paths[int(language)%len(paths)], source)
	})
}

// checkOutline checks what holds of any outline.
func checkOutline(ctx context.Context, t *testing.T, path, source string) {
	t.Helper()
	d := NewDocument(path, []byte(source))
	o, err := d.definitionsOf(ctx)
	if err != nil {
		if _, ok := errors.AsType[*Error](err); !ok {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	for i, def := range o.Defs {
		if def.Parent >= i || def.Doc > def.From || def.From > def.To || def.To > len(source) {
			t.Fatalf("definition %d: %+v", i, def)
		}
	}
	list, err := Symbols(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		s, err := Parse(l.Selector)
		if err != nil || s.String() != l.Selector {
			t.Fatalf("%q is listed: %v", l.Selector, err)
		}
		if r, err := s.Select(ctx, d); err != nil || r != l.Range {
			t.Fatalf("%q is listed at %v, selects %v (%v)", l.Selector, l.Range, r, err)
		}
	}
}

package pins

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

const hex = "fb5b52279dd489f2241515b288186815c789aeea4c2464b4d0b3f76a7a577c67"

func pointer(rest string) string {
	return "ctxptr:file:docs/SPEC.md@blake3:" + hex + ":matches_current" + rest
}

func TestParse(t *testing.T) {
	data := "plans/my%20plan.md " + pointer("#item=AC-010") + "\nplans/p.md " + pointer("") + "\n"
	f := Parse("docs/ctxptr.pins", []byte(data))
	if len(f.Bad) > 0 || len(f.Pins) != 2 {
		t.Fatalf("%+v", f)
	}
	p := f.Pins[0]
	if p.Document != "docs/plans/my plan.md" || p.Line != 1 || data[p.Offset:p.Offset+len(p.Pointer.String())] != p.Pointer.String() {
		t.Errorf("%+v", p)
	}
	if got := string(f.Format()); got != data {
		t.Errorf("formatted as %q", got)
	}
	if got := string(Parse("docs/ctxptr.pins", []byte(strings.ReplaceAll(data, "\n", "\r\n"))).Format()); got != strings.ReplaceAll(data, "\n", "\r\n") {
		t.Errorf("CRLF is lost: %q", got)
	}
}

func TestParseBad(t *testing.T) {
	good := "b.md " + pointer("")
	for _, c := range []struct {
		name, data string
		line       int
	}{
		{"no pointer", "b.md\n", 1},
		{"an empty line", good + "\n\n", 2},
		{"two spaces", "b.md  " + pointer("") + "\n", 1},
		{"a conflict marker", "<<<<<<< ours\n" + good + "\n", 1},
		{"a longer one", good + "\n==========\n", 2},
		{"a byte order mark", "\ufeff" + good + "\n", 1},
		{"out of order", good + "\na.md " + pointer("") + "\n", 2},
		{"twice", good + "\n" + good + "\n", 2},
		{"a path upwards", "../b.md " + pointer("") + "\n", 1},
		{"an absolute path", "/b.md " + pointer("") + "\n", 1},
		{"an unclean path", "x/../b.md " + pointer("") + "\n", 1},
		{"lower-case escapes", "b%2b.md " + pointer("") + "\n", 1},
		{"needless escapes", "%62.md " + pointer("") + "\n", 1},
		{"a pointer that is not canonical", "b.md " + strings.Replace(pointer(""), "docs", "%64ocs", 1) + "\n", 1},
		{"a trailing space", good + " \n", 1},
	} {
		f := Parse("ctxptr.pins", []byte(c.data))
		if len(f.Bad) != 1 || f.Bad[0].Line != c.line {
			t.Errorf("%s: %+v", c.name, f.Bad)
		}
	}
}

// TestParseNameOfMarker takes a document that is named like a marker for one.
func TestParseNameOfMarker(t *testing.T) {
	data := "======= " + pointer("") + "\n"
	if f := Parse("ctxptr.pins", []byte(data)); len(f.Bad) > 0 || len(f.Pins) != 1 {
		t.Errorf("%+v", f)
	}
}

// TestInOrder sorts what is only out of order, and nothing where there is more.
func TestInOrder(t *testing.T) {
	a, b := "a.md "+pointer("")+"\n", "b.md "+pointer("")+"\n"
	for _, c := range []struct{ name, data, want string }{
		{"in order", a + b, ""},
		{"out of order", b + a, a + b},
		{"twice", a + b + a + b, a + b},
		{"no pin among them", b + "no pin\n" + a, ""},
		{"markers", "<<<<<<< x\n" + b + a, ""},
		{"a byte order mark", "\ufeff" + b + a, ""},
	} {
		got, ordered := InOrder("ctxptr.pins", []byte(c.data))
		if !ordered {
			c.want += c.data
		}
		if string(got) != c.want {
			t.Errorf("%s: became %q", c.name, got)
		}
	}
}

// TestParseNoticesOnce demands that what a merge leaves is said once, not of every
// line behind it.
func TestParseNoticesOnce(t *testing.T) {
	line := func(name string) string { return name + ".md " + pointer("") + "\n" }
	sides := line("a") + line("b") + line("c")
	for _, c := range []struct {
		name, data string
		bad        []int
	}{
		{"a conflict", "<<<<<<< ours\n" + sides + "||||||| base\n" + sides + "=======\n" + sides + ">>>>>>> theirs\n" + line("a"), []int{1, 5, 9, 13}},
		{"both sides, one behind the other", sides + sides + line("d"), []int{4}},
		{"one line too late", line("b") + line("a") + line("c"), []int{2}},
		{"no pin in between", line("b") + "no pin\n" + line("a"), []int{2, 3}},
	} {
		f := Parse("ctxptr.pins", []byte(c.data))
		var lines []int
		for _, bad := range f.Bad {
			lines = append(lines, bad.Line)
		}
		if !slices.Equal(lines, c.bad) {
			t.Errorf("%s: bad are the lines %v, want %v", c.name, lines, c.bad)
		}
	}
}

func TestAbove(t *testing.T) {
	if got := Above("a/b/c.md"); !slices.Equal(got, []string{"a/b/ctxptr.pins", "a/ctxptr.pins", "ctxptr.pins"}) {
		t.Error(got)
	}
	for p, want := range map[string]bool{"ctxptr.pins": true, "a/ctxptr.pins": true, "b/ctxptr.pins": false, "a/b/c/ctxptr.pins": false} {
		if slices.Contains(Above("a/b/c.md"), p) != want {
			t.Errorf("that %s can govern is not %v", p, want)
		}
	}
}

// FuzzParse demands that a file without bad lines is given back, but for what
// ends its lines, and that nothing is lost.
func FuzzParse(f *testing.F) {
	f.Add([]byte("a.md " + pointer("#item=AC-1") + "\nb.md " + pointer("") + "\n"))
	f.Add([]byte("<<<<<<<\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := Parse("x/ctxptr.pins", data)
		lines := bytes.Count(data, []byte("\n"))
		if len(data) > 0 && data[len(data)-1] != '\n' {
			lines++
		}
		if len(file.Pins)+len(file.Bad) != lines {
			t.Fatalf("%d lines gave %d pins and %d bad ones", lines, len(file.Pins), len(file.Bad))
		}
		if len(file.Bad) > 0 {
			return
		}
		plain := func(b []byte) string {
			return strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
		}
		if got := file.Format(); plain(got) != strings.TrimSuffix(plain(data), "\r") {
			t.Fatalf("%q became %q", data, got)
		}
	})
}

// TestSort moves lines and nothing else.
func TestSort(t *testing.T) {
	for data, want := range map[string]string{
		"":                 "",
		"a\nb\n":           "a\nb\n",
		"a\r\nb":           "a\r\nb",
		"b\r\na":           "a\r\nb",
		"b\na\r\nc":        "a\nb\r\nc",
		"b\nb\na\n":        "a\nb\n",
		"b\r\na\nb":        "a\r\nb",
		"c\n\nb\n":         "\nb\nc\n",
		"same\nsame\nsame": "same",
	} {
		if got := string(Sort([]byte(data))); got != want {
			t.Errorf("%q: got %q, want %q", data, got, want)
		}
	}
}

package yaml

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// events prints a file in the notation of yaml-test-suite, without what a node
// does not record: explicit document markers and flow style.
func events(f *File) string {
	var b strings.Builder
	b.WriteString("+STR\n")
	for _, root := range f.Roots {
		b.WriteString("+DOC\n")
		writeEvents(&b, f, root)
		b.WriteString("-DOC\n")
	}
	b.WriteString("-STR\n")
	return b.String()
}

func writeEvents(b *strings.Builder, f *File, i int) {
	n := f.Nodes[i]
	props := ""
	if a := f.Props[n.Props].Anchor; a != "" {
		props += " &" + a
	}
	if t := f.Props[n.Props].Tag; t != "" {
		props += " <" + t + ">"
	}
	switch n.Kind {
	case Alias:
		b.WriteString("=ALI *" + n.Value + "\n")
		return
	case Scalar:
		b.WriteString("=VAL" + props + " " + string(":'\"|>"[n.Style]) + escapeEvent(n.Value) + "\n")
		return
	}
	name := map[Kind]string{Mapping: "MAP", Sequence: "SEQ"}[n.Kind]
	b.WriteString("+" + name + props + "\n")
	for c := i + 1; c < i+int(n.Size); c += int(f.Nodes[c].Size) {
		writeEvents(b, f, c)
	}
	b.WriteString("-" + name + "\n")
}

func escapeEvent(s string) string {
	return strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\t", "\\t", "\r", "\\r", "\b", "\\b").Replace(s)
}

// plainEvents removes what events does not print.
func plainEvents(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "+DOC"):
			line = "+DOC"
		case strings.HasPrefix(line, "-DOC"):
			line = "-DOC"
		case strings.HasPrefix(line, "+MAP {}"), strings.HasPrefix(line, "+SEQ []"):
			line = line[:4] + line[7:]
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

var testLimits = Limits{Nodes: 1 << 20, Depth: 1000}

func TestSuite(t *testing.T) {
	root := os.Getenv("SUITE")
	good, bad := 0, 0
	filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "name" || d.Name() == "tags") {
			return filepath.SkipDir
		}
		if filepath.Base(p) != "in.yaml" {
			return nil
		}
		dir := filepath.Dir(p)
		src, _ := os.ReadFile(p)
		want, _ := os.ReadFile(filepath.Join(dir, "test.event"))
		_, fails := os.Stat(filepath.Join(dir, "error"))
		f, perr := Parse(src, testLimits)
		id := strings.TrimPrefix(dir, root)
		switch {
		case fails == nil && perr == nil:
			t.Errorf("%s: accepted\n%s\n%s", id, src, events(f))
			bad++
		case fails == nil:
			good++
		case perr != nil:
			t.Errorf("%s: %v at %d\n%s", id, perr, perr.(*Error).Offset, src)
			bad++
		case events(f) != plainEvents(string(want)):
			t.Errorf("%s:\n%s\n%s\nwant %s", id, src, events(f), want)
			bad++
		default:
			good++
		}
		return nil
	})
	t.Logf("good %d bad %d", good, bad)
}

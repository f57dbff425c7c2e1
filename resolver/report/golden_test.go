package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden holds every format's output against its golden file.
func TestGolden(t *testing.T) {
	changed := sample()
	changed.Changed = []string{"docs/SPEC.md", "notes, 100%: a b.md", "src/main.go"}
	nothing := Report{Version: "v1.2.3", Total: 2, Resolved: 2, Proven: sample().Proven}
	seen := 0
	for _, f := range Formats {
		for name, r := range map[string]Report{"all": sample(), "changed": changed, "resolved": nothing} {
			if name == "changed" && f.Name != "github" {
				continue
			}
			seen++
			checkGolden(t, filepath.Join("testdata", "golden", name+"."+f.Name), render(t, f.Name, r))
		}
	}
	files, err := filepath.Glob(filepath.Join("testdata", "golden", "*"))
	if err != nil || len(files) != seen {
		t.Errorf("%d golden files for %d outputs (%v)", len(files), seen, err)
	}
}

func checkGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

func render(t *testing.T, format string, r Report) []byte {
	t.Helper()
	f, ok := Lookup(format)
	if !ok {
		t.Fatalf("no format %s", format)
	}
	var b bytes.Buffer
	if err := f.Render(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFormatsAreSortedAndSaid(t *testing.T) {
	if !slices.IsSorted(Names()) {
		t.Error("the table of formats is not sorted")
	}
	for _, f := range Formats {
		if f.Summary == "" || f.render == nil {
			t.Errorf("%s says nothing", f.Name)
		}
	}
}

// TestRenderingsAreDeterministic renders twice and compares.
func TestRenderingsAreDeterministic(t *testing.T) {
	for _, f := range Formats {
		for _, r := range []Report{sample(), many(50), attack(hostile[0])} {
			if !bytes.Equal(render(t, f.Name, r), render(t, f.Name, r)) {
				t.Errorf("%s differs from run to run", f.Name)
			}
		}
	}
}

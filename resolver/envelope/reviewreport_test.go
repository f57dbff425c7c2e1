package envelope

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// reportVector is one line of testdata/vectors/report/report.jsonl: a report of
// the same folder, edited.
type reportVector struct {
	Why      string        `json:"why"`
	Base     string        `json:"base"`
	Path     string        `json:"path"`  // of the file, "" where its name is not looked at
	Edits    []replacement `json:"edits"` // in order
	Findings [][2]string   `json:"findings"`
}

// replacement replaces the one place at which a text stands.
type replacement struct {
	Old    string `json:"old"`
	New    string `json:"new"`
	NewHex string `json:"new_hex"` // instead of New, for bytes that are no UTF-8
}

func (r replacement) apply(t *testing.T, text string) string {
	t.Helper()
	if n := strings.Count(text, r.Old); n != 1 {
		t.Fatalf("%q stands %d times", r.Old, n)
	}
	if r.NewHex == "" {
		return strings.Replace(text, r.Old, r.New, 1)
	}
	data, err := hex.DecodeString(r.NewHex)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(text, r.Old, string(data), 1)
}

// reportFile is a file of testdata/vectors/report.
func reportFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(vectorsIn(filepath.Join("report", name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReportVectors(t *testing.T) {
	for _, v := range vectorLines[reportVector](t, "report/report.jsonl", 100) {
		text := reportFile(t, v.Base)
		for _, r := range v.Edits {
			text = r.apply(t, text)
		}
		report, found := ParseReport(v.Path, []byte(text))
		if (report == nil) == (len(found) == 0) {
			t.Errorf("%s: a report and findings, or neither", v.Why)
		}
		if !equalSets(codesAndPointers(t, found), v.Findings) {
			t.Errorf("%s: got %v, want %v", v.Why, codesAndPointers(t, found), v.Findings)
		}
	}
}

func codesAndPointers(t *testing.T, found []Finding) [][2]string {
	t.Helper()
	var list [][2]string
	for _, f := range found {
		list = append(list, [2]string{f.Code, f.Pointer})
		if _, _, known := Explain(f.Code); !known || f.Message == "" || f.Line < 1 || f.Column < 1 || f.Advice {
			t.Errorf("%+v", f)
		}
	}
	return list
}

// reportBases are the sound reports under testdata/vectors/report.
var reportBases = []string{"current.md", "legacy.md", "standalone.md"}

// reportRoot reads a report as one value of front_matter and report.
func reportRoot(t *testing.T, text string) *node {
	t.Helper()
	c := newCheck([]byte(text), &Options{})
	if c.readReport(); c.root == nil || len(c.findings) > 0 {
		t.Fatalf("%+v", c.findings)
	}
	return c.root
}

// reportText writes a report with a mutation of one of its parts carried out.
func (m mutation) reportText(root *node) string {
	return "---\n" + m.write(root.get("front_matter")) + "\n---\n\n```review-report-json\n" + m.write(root.get("report")) + "\n```\n"
}

// TestReportMutations deletes, renames, duplicates and retypes every key of every
// sound report: each is caught and named. A library's verdict on the shape is the
// one given here.
func TestReportMutations(t *testing.T) {
	count, second := 0, library(t, "review-report")
	for _, name := range reportBases {
		root := reportRoot(t, reportFile(t, name))
		if _, found := ParseReport("", []byte((mutation{}).reportText(root))); len(found) > 0 {
			t.Fatalf("%s is not written as it was read: %+v", name, found)
		}
		list := append(mutations(root.get("front_matter")), mutations(root.get("report"))...)
		for _, id := range textNodes(root.get("report").get("findings"), "id") {
			list = append(list, mutation{id, "delete"})
		}
		for _, m := range list {
			if m.at.key == "review_epoch" && m.what == "delete" || m.at.key == "preceding_repair_ordinal" && m.what == "null" && name == "current.md" {
				continue // then it is a report of the older version; a directed review follows without a repair
			}
			count++
			text := m.reportText(root)
			if _, found := ParseReport("", []byte(text)); !m.caught(found) {
				t.Errorf("%s: %s %s: %+v", name, m.at.path(), m.what, found)
			}
			if m.what != "duplicate" {
				sameShape(t, second, m.write(root))
			}
		}
	}
	if count < 1000 {
		t.Errorf("%d mutations, want at least 1000", count)
	}
	t.Logf("%d mutations", count)
}

// sameShape holds a verdict about the shape of a value against a library's.
func sameShape(t *testing.T, second *jsonschema.Schema, text string) {
	t.Helper()
	c := newCheck([]byte(text), &Options{})
	c.read()
	c.shape(schemaOf("review-report"), c.root)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err = second.Validate(value); (err == nil) != (len(c.findings) == 0) {
		t.Errorf("the library says %v, here %+v\n%s", err, c.findings, text)
	}
}

// TestReportSizes holds that deep and wide reports are read in time that grows
// with their size.
func TestReportSizes(t *testing.T) {
	text := reportFile(t, "legacy.md")
	from := strings.Index(text, blockOpen) + len(blockOpen)
	_, found := ParseReport("", []byte(text[:from]+strings.Repeat(`{"a":`, 1<<18)+"\n```\n"))
	if len(found) != 1 || found[0].Code != MalformedJSON {
		t.Errorf("got %+v", found)
	}
	_, found = ParseReport("", []byte(text[:from]+"{"+strings.Repeat(`"k":1,`, 1<<16)+text[from+1:]))
	if len(found) < 1<<16 {
		t.Errorf("%d findings, want one for each repeated key", len(found))
	}
}

// FuzzReport demands findings of places in the document and of known codes, and
// the same again.
func FuzzReport(f *testing.F) {
	for _, name := range reportBases {
		_, rest, _ := strings.Cut(reportFile(f, name), "---\n")
		front, rest, _ := strings.Cut(rest, "\n---\n\n"+blockOpen)
		block, prose, _ := strings.Cut(rest, "\n```")
		f.Add(front, block, prose)
	}
	f.Add("a: &b [*b, !t c]\n? {a: b}\n: 1\na: 2", `{"a":1,"a":2}`, "\n---\n~~~ review-report-json\n")
	f.Fuzz(func(t *testing.T, front, block, prose string) {
		data := []byte("---\n" + front + "\n---\n\n" + blockOpen + block + "\n```" + prose)
		report, found := ParseReport("", data)
		if (report == nil) == (len(found) == 0) {
			t.Fatal("a report and findings, or neither")
		}
		last, width := newDocument(data).place(len(data))
		for _, f := range found {
			if _, _, known := Explain(f.Code); !known || f.Line < 1 || f.Line > last || f.Column < 1 || f.Line == last && f.Column > width {
				t.Fatalf("%+v", f)
			}
		}
		if _, again := ParseReport("", data); !slices.Equal(found, again) {
			t.Fatalf("%+v\n%+v", found, again)
		}
		if _, err := json.Marshal(found); err != nil {
			t.Fatal(err)
		}
	})
}

package envelope

import (
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// reportVector is one line of testdata/vectors/report/report.jsonl: a report of
// the same folder, edited.
type reportVector struct {
	Why   string `json:"why"`
	Base  string `json:"base"`
	Path  string `json:"path"`  // of the file, "" where its name is not looked at
	Edits []edit `json:"edits"` // in order; each old text stands exactly once
	Want  []struct {
		Pointer string `json:"pointer"`
		Code    string `json:"code"`
	} `json:"want"` // every finding; none for a sound report
}

// edit replaces the one place at which a text stands.
type edit struct {
	Old    string `json:"old"`
	New    string `json:"new"`
	NewHex string `json:"new_hex"` // instead of New, for bytes that are no UTF-8
}

func (e edit) apply(t *testing.T, text string) string {
	t.Helper()
	if n := strings.Count(text, e.Old); n != 1 {
		t.Fatalf("%q stands %d times", e.Old, n)
	}
	replacement := e.New
	if e.NewHex != "" {
		data, err := hex.DecodeString(e.NewHex)
		if err != nil {
			t.Fatal(err)
		}
		replacement = string(data)
	}
	return strings.Replace(text, e.Old, replacement, 1)
}

func readReportFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(vectorsIn("report/" + name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReportVectors(t *testing.T) {
	codes := map[string]bool{CodeLimit: true} // TestReportLimits
	for _, v := range readVectors[reportVector](t, "report/report.jsonl", 60) {
		text := readReportFile(t, v.Base)
		for _, e := range v.Edits {
			text = e.apply(t, text)
		}
		report, found := ParseReport(v.Path, []byte(text))
		if (report == nil) == (len(found) == 0) {
			t.Errorf("%s: a report and findings, or neither", v.Why)
		}
		var got, want []string
		for _, f := range found {
			got = append(got, f.Code+" "+f.Pointer)
			if f.Message == "" || f.Advice {
				t.Errorf("%s: %+v", v.Why, f)
			}
		}
		for _, w := range v.Want {
			want = append(want, w.Code+" "+w.Pointer)
			codes[w.Code] = true
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", v.Why, got, want)
		}
	}
	for _, code := range ReportCodes() {
		if !codes[code] {
			t.Errorf("no vector has the code %s", code)
		}
		if ExplainReportCode(code) == "" {
			t.Errorf("the code %s is not explained", code)
		}
	}
}

// reportBases are the sound reports under testdata/vectors/report.
var reportBases = []string{"current.md", "legacy.md", "standalone.md"}

// mutation changes one key of a JSON object or of front matter.
type mutation struct {
	name string
	do   func(parent *element, i int)
	said func(parent, key string) string // the pointer that a finding must name
}

func sameKey(parent, key string) string { return pointerTo(parent, key) }

var mutations = []mutation{
	{"delete", func(e *element, i int) { e.children = slices.Delete(e.children, i, i+1) }, sameKey},
	{"rename", func(e *element, i int) { e.children[i].key += "_" }, func(parent, key string) string { return pointerTo(parent, key+"_") }},
	{"duplicate", func(e *element, i int) { e.children = slices.Insert(e.children, i, e.children[i]) }, sameKey},
	{"retype", func(e *element, i int) {
		old := e.children[i]
		e.children[i] = &element{kind: '"', key: old.key, text: "text"}
		if old.kind == '"' {
			e.children[i] = &element{kind: '{', key: old.key}
		}
	}, sameKey},
}

// keysOf lists the objects below e with their pointers.
func keysOf(e *element, pointer string, visit func(object *element, pointer string)) {
	if e.kind == '{' {
		visit(e, pointer)
	}
	for i, c := range e.children {
		name := index(i)
		if e.kind == '{' {
			name = c.key
		}
		keysOf(c, pointerTo(pointer, name), visit)
	}
}

// encode writes an element as JSON, which is YAML too.
func encode(b *strings.Builder, e *element) {
	switch e.kind {
	case '{', '[':
		b.WriteByte(byte(e.kind))
		for i, c := range e.children {
			if i > 0 {
				b.WriteByte(',')
			}
			if e.kind == '{' {
				fmt.Fprintf(b, "%q:", c.key)
			}
			encode(b, c)
		}
		b.WriteByte(byte(e.kind) + 2)
	case '"':
		fmt.Fprintf(b, "%q", e.text)
	case '0':
		b.WriteString(e.text)
	default:
		b.WriteString(map[byte]string{'n': "null", 't': "true", 'f': "false"}[byte(e.kind)])
	}
}

// encodeReport writes a report from its two parts.
func encodeReport(document *element) string {
	var b strings.Builder
	b.WriteString("---\n")
	encode(&b, document.get("front_matter"))
	b.WriteString("\n---\n\n```review-report-json\n")
	encode(&b, document.get("report"))
	b.WriteString("\n```\n")
	return b.String()
}

// elsewhereSaid are the keys that need not be there: without them a report is
// another one, whose other parts do not fit.
var elsewhereSaid = map[string]bool{"/report/review_epoch": true, "/report/review_epoch/human_direction": true}

// TestReportMutations deletes, renames, duplicates and retypes every key of every
// sound report: each is caught, and named.
func TestReportMutations(t *testing.T) {
	count := 0
	for _, name := range reportBases {
		text := readReportFile(t, name)
		objects := 0
		keysOf(newCheck(nil).readReport([]byte(text)), "", func(object *element, pointer string) {
			objects++
			if pointer == "" || strings.HasPrefix(pointer, "/report/review_epoch/results/") || strings.HasPrefix(pointer, "/report/review_epoch/adjudications/") {
				return // of the epoch, whose own checks those are
			}
			for i, member := range object.children {
				for _, m := range mutations {
					count++
					mutate(t, name, text, pointer, i, member.key, m)
				}
			}
		})
		if objects < 5 {
			t.Errorf("%s has %d objects", name, objects)
		}
	}
	if count < 500 {
		t.Errorf("%d mutations, want at least 500", count)
	}
}

func mutate(t *testing.T, name, text, pointer string, i int, key string, m mutation) {
	t.Helper()
	document := newCheck(nil).readReport([]byte(text))
	m.do(document.find(strings.Split(pointer, "/")[1:]), i)
	_, found := ParseReport("", []byte(encodeReport(document)))
	said := m.said(pointer, key)
	named := slices.ContainsFunc(found, func(f Finding) bool { return f.Pointer == said })
	if len(found) == 0 || !named && !(m.name == "delete" && elsewhereSaid[said]) {
		t.Errorf("%s: %s %s: %+v", name, m.name, said, found)
	}
}

func TestReportLimits(t *testing.T) {
	_, found := ParseReport("", make([]byte, maxReport+1))
	if len(found) != 1 || found[0].Code != CodeLimit {
		t.Errorf("got %+v", found)
	}
	deep := strings.Repeat(`{"a":`, 1<<18)
	text := readReportFile(t, "legacy.md")
	from := strings.Index(text, blockOpen) + len(blockOpen)
	_, found = ParseReport("", []byte(text[:from]+deep+"\n```\n"))
	if len(found) != 1 || found[0].Code != CodeSyntax {
		t.Errorf("got %+v", found)
	}
	many := strings.Repeat(`"k":1,`, 1<<17)
	_, found = ParseReport("", []byte(text[:from]+"{"+many+text[from+1:]))
	if len(found) < 1<<17 {
		t.Errorf("%d findings, want one for each repeated key", len(found))
	}
}

// FuzzReport demands findings of places in the document and of known codes, and
// the same again.
func FuzzReport(f *testing.F) {
	for _, name := range reportBases {
		f.Add([]byte(readReportFile(f, name)))
	}
	f.Add([]byte("---\n---\n```review-report-json\n{}\n```\n"))
	f.Add([]byte("---\na: &b [*b, !t c]\n---\n\n```review-report-json\n{\"a\":1,\"a\":2}\n```\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		report, found := ParseReport("", data)
		if (report == nil) == (len(found) == 0) {
			t.Fatal("a report and findings, or neither")
		}
		lines := strings.Count(string(data), "\n") + 1
		for _, f := range found {
			if f.Line < 0 || f.Line > lines || f.Column < 0 || f.Column > len(data)+1 || ExplainReportCode(f.Code) == "" {
				t.Fatalf("%+v", f)
			}
		}
		if _, again := ParseReport("", data); !slices.Equal(found, again) {
			t.Fatalf("%+v\n%+v", found, again)
		}
	})
}

package envelope

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// vector is one line of testdata/vectors/envelope/KIND.jsonl.
type vector struct {
	Why         string      `json:"why"`
	Patch       []operation `json:"patch"`
	Document    *string     `json:"document"`
	DocumentHex string      `json:"document_hex"`
	NoResolve   bool        `json:"no_resolve"`
	Scope       []string    `json:"scope"`
	Packet      string      `json:"packet"`
	Want        string      `json:"want"`
	Findings    [][2]string `json:"findings"` // code and JSON Pointer
	Blocked     [][2]string `json:"blocked"`  // code and JSON Pointer
}

func vectorFile(name string) string {
	return filepath.Join("..", "..", "testdata", "vectors", "envelope", name)
}

// validName is the file of a kind's valid example.
func validName(kind string) string {
	if kind == "review-report" {
		return vectorsIn("report/legacy.md")
	}
	return vectorFile("valid/" + kind + ".json")
}

func readVectors(t testing.TB, kind string) []vector {
	t.Helper()
	data, err := os.ReadFile(vectorFile(kind + ".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var list []vector
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil || v.Why == "" || v.Want == "" {
			t.Fatalf("%s: %v: %s", kind, err, lines.Text())
		}
		list = append(list, v)
	}
	if err := lines.Err(); err != nil || len(list) == 0 {
		t.Fatalf("%s: %d vectors, %v: a run of nothing proves nothing", kind, len(list), err)
	}
	return list
}

// document returns the bytes that the vector is about.
func (v vector) document(t testing.TB, kind string) []byte {
	t.Helper()
	switch {
	case v.Document != nil:
		return []byte(*v.Document)
	case v.DocumentHex != "":
		data, err := hex.DecodeString(v.DocumentHex)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	data, err := os.ReadFile(validName(kind))
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Patch) == 0 {
		return data
	}
	return patched(t, data, v.Patch)
}

// vectorRoot makes the repository that the vectors' pointers name: the files of
// files/ in one commit, those of change/ over them in a second.
func vectorRoot(t testing.TB) *authority.Workspace {
	t.Helper()
	root := t.TempDir()
	git := func(args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(),
			"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_DEFAULT_HASH=sha1", "GIT_DEFAULT_REF_FORMAT=files", "GIT_CEILING_DIRECTORIES="+filepath.Dir(root),
			"GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.com", "GIT_AUTHOR_DATE=2005-04-07T22:13:13Z",
			"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.com", "GIT_COMMITTER_DATE=2005-04-07T22:13:13Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for _, from := range [][2]string{{"files", "base"}, {"change", "change"}} {
		copyTree(t, vectorFile(from[0]), root)
		git("add", "-A")
		git("commit", "-q", "-m", from[1])
	}
	w, err := authority.Open(t.Context(), authority.Config{Dir: root, Root: root, MaxBytes: 64 << 20, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// copyTree copies regular files over those of another folder.
func copyTree(t testing.TB, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestVectors(t *testing.T) {
	w := vectorRoot(t)
	seen := map[string]int{}
	count := 0
	for _, kind := range Kinds() {
		for _, v := range readVectors(t, kind.Name) {
			count++
			t.Run(kind.Name+"/"+v.Why, func(t *testing.T) {
				for _, f := range v.check(t, w, kind) {
					seen[f.Code]++
				}
			})
		}
	}
	if count < 300 {
		t.Errorf("%d vectors, want at least 300", count)
	}
	for _, code := range Codes() {
		if seen[code] == 0 {
			t.Errorf("no vector has a finding %s", code)
		}
	}
}

func (v vector) check(t *testing.T, w *authority.Workspace, kind *Kind) []Finding {
	t.Helper()
	o := Options{Name: "document", Scope: v.Scope}
	if kind.Name == "review-report" {
		o.Name = "-" // the name of a file would be looked at
	}
	if v.Packet != "" {
		data, err := os.ReadFile(vectorFile("files/" + v.Packet))
		if err != nil {
			t.Fatal(err)
		}
		o.Packet = data
	}
	if v.NoResolve {
		w = nil
	}
	r, err := Validate(t.Context(), w, kind, v.document(t, kind.Name), o)
	if err != nil {
		t.Fatal(err)
	}
	var findings, blocked [][2]string
	for _, f := range r.Findings {
		findings = append(findings, [2]string{f.Code, f.Pointer})
		if f.Line < 1 || f.Column < 1 || f.Message == "" {
			t.Errorf("the finding has no place or no sentence: %+v", f)
		}
	}
	for _, record := range r.Records {
		if record.Outcome == resolver.Blocked {
			blocked = append(blocked, [2]string{string(record.Code), record.ID})
		}
	}
	if r.Outcome != v.Want || !equalSets(findings, v.Findings) || !equalSets(blocked, v.Blocked) {
		line, _ := r.Line()
		t.Errorf("got %s %v blocked %v\nwant %s %v blocked %v\n%s", r.Outcome, findings, blocked, v.Want, v.Findings, v.Blocked, line)
	}
	return r.Findings
}

func equalSets(a, b [][2]string) bool {
	order := func(x, y [2]string) int { return cmp.Or(strings.Compare(x[0], y[0]), strings.Compare(x[1], y[1])) }
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, order)
	slices.SortFunc(b, order)
	return slices.Equal(a, b)
}

// TestFindingsAreSorted holds that findings come in order of place.
func TestFindingsAreSorted(t *testing.T) {
	for _, kind := range Kinds() {
		for _, v := range readVectors(t, kind.Name) {
			r, err := Validate(context.Background(), nil, kind, v.document(t, kind.Name), Options{Name: "document"})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSortedFunc(r.Findings, func(a, b Finding) int {
				return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
			}) {
				t.Errorf("%s, %s: %+v", kind.Name, v.Why, r.Findings)
			}
		}
	}
}

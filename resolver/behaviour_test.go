package resolver

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ctxptr/authority"
	"ctxptr/authority/selector"
)

// requirements says whether this run meets what a vector asks of its system.
var requirements = map[string]func() bool{
	"root":         func() bool { return os.Geteuid() == 0 },
	"symlinks":     func() bool { return filepath.Separator == '/' },
	"unix":         func() bool { return filepath.Separator == '/' },
	"unprivileged": func() bool { return filepath.Separator == '/' },
}

// TestBehaviour runs every vector under testdata/vectors/resolve.
func TestBehaviour(t *testing.T) {
	schema := resolutionSchema(t)
	for name, v := range readBehaviours(t, "resolve") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range v.requires {
				if !requirements[r]() {
					t.Skipf("the vector requires %s", r)
				}
			}
			v.run(t, schema)
		})
	}
}

// run arranges the vector in a folder of its own, resolves, and compares.
func (v *behaviour) run(t *testing.T, schema *jsonschema.Schema) {
	want, err := v.records(verdict)
	if err != nil {
		t.Fatal(err)
	}
	dir := v.folder(t)
	v.perform(t, memberSteps, dir)
	got := v.resolve(t, dir)
	if _, err := os.Lstat(filepath.Join(dir, "PWNED")); err == nil {
		t.Error("the configuration of the repository ran a command")
	}
	if len(got) != len(want) {
		t.Fatalf("got %d records, want %d", len(got), len(want))
	}
	for i, r := range got {
		line, err := r.Line()
		if err != nil {
			t.Fatal(err)
		}
		checkLine(t, schema, line, want[i])
		if bytes.Contains(line, []byte(dir)) {
			t.Errorf("the record holds an absolute path: %s", line)
		}
	}
}

// folder makes an empty folder that every user may enter. Its path is short
// enough for the address of a socket.
func (v *behaviour) folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ctxptr")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := removeAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// removeAll removes a folder, also what a vector has closed in it.
func removeAll(dir string) error {
	err := filepath.WalkDir(dir, func(p string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			err = os.Chmod(p, 0o700)
		}
		return err
	})
	return errors.Join(err, os.RemoveAll(dir))
}

func (v *behaviour) perform(t *testing.T, list, dir string) {
	for _, s := range v.steps(list) {
		if err := s.run(v, dir); err != nil {
			t.Errorf("%s: %v", list, err)
		}
	}
}

// resolve answers for the pointers as the resolve command does.
func (v *behaviour) resolve(t *testing.T, dir string) []*Record {
	t.Helper()
	items := v.items(t)
	prior, err := ReadPrior(strings.NewReader(v.members[memberPrior]))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Refresh: v.refresh, Prior: prior, Identical: v.same}
	if v.members[memberBetween] != "" {
		o.testOnlyBetween = func() { v.perform(t, memberBetween, dir) }
	}
	var records []*Record
	answer := func() { records, err = v.answer(t, v.config(dir), items, o) }
	if slices.Contains(v.requires, "unprivileged") && os.Geteuid() == 0 {
		if refused := bound(answer); refused != nil {
			t.Fatal(refused)
		}
	} else {
		answer()
	}
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func (v *behaviour) items(t *testing.T) []Item {
	t.Helper()
	input, err := v.input()
	if err != nil {
		t.Fatal(err)
	}
	items, err := ReadItems(strings.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	for i := range items {
		items[i].From = v.from
	}
	return items
}

func (v *behaviour) config(dir string) authority.Config {
	env := map[string]string{}
	for _, pair := range append(surroundings(dir), v.env...) {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	c := authority.Config{
		Dir: filepath.Join(dir, v.dir), MaxBytes: v.maxBytes,
		Network: v.network, Deep: v.deep, Repos: map[string]string{},
		Getenv: func(name string) string { return env[name] },
	}
	for name, folder := range v.repos {
		c.Repos[name] = filepath.Join(c.Dir, folder)
	}
	if v.root != "" {
		c.Root = v.root
		if !filepath.IsAbs(v.root) {
			c.Root = filepath.Join(dir, v.root)
		}
	}
	return c
}

func (v *behaviour) answer(t *testing.T, c authority.Config, items []Item, o Options) ([]*Record, error) {
	w, err := authority.Open(t.Context(), c)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return Resolve(t.Context(), w, items, o)
}

// checkLine compares a record with the expected one, as JSON values, and holds
// it against the schema.
func checkLine(t *testing.T, schema *jsonschema.Schema, line []byte, want map[string]any) {
	t.Helper()
	got, err := jsonValue(line)
	if err != nil {
		t.Fatal(err)
	}
	if beginsAs(got, want) {
		want["missing_proof"] = got["missing_proof"]
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the record differs\n%sgot: %s", differences(got, want), line)
	}
	checkSchema(t, schema, line)
}

// checkSchema holds a line of JSON against the schema of records.
func checkSchema(t *testing.T, schema *jsonschema.Schema, line []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%v\n%s", err, line)
	}
}

// beginsAs reports whether the expected missing_proof ends in an ellipsis, where
// the sentence goes on to list a table that grows, and the record's begins so.
func beginsAs(got, want map[string]any) bool {
	begin, found := strings.CutSuffix(fmt.Sprint(want["missing_proof"]), "…")
	return found && strings.HasPrefix(fmt.Sprint(got["missing_proof"]), begin)
}

// differences names the keys in which two records differ, a line each.
func differences(got, want map[string]any) string {
	keys := map[string]bool{}
	for _, r := range []map[string]any{got, want} {
		for key := range r {
			keys[key] = true
		}
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !reflect.DeepEqual(got[key], want[key]) {
			fmt.Fprintf(&b, "  %s: got %v, want %v\n", key, got[key], want[key])
		}
	}
	return b.String()
}

func resolutionSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, ok := SchemaText("resolution")
	if !ok {
		t.Fatal("there is no schema of a resolution")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:resolution", value); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("urn:resolution")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// leastBehaviours is how many vectors there are at least.
const leastBehaviours = 120

// TestBehavioursCover counts: every code, kind, selector type, freshness rule,
// outcome and refresh has a vector. What a pointer is made of counts where the
// pointer resolved.
func TestBehavioursCover(t *testing.T) {
	all := readBehaviours(t, "resolve")
	if len(all) < leastBehaviours {
		t.Errorf("there are %d vectors, want at least %d", len(all), leastBehaviours)
	}
	seen := map[string]bool{}
	for name, v := range all {
		records, err := v.records(verdict)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, r := range records {
			covers(t, seen, r)
		}
	}
	for _, need := range needed() {
		if !seen[need] {
			t.Errorf("no vector has %s", need)
		}
	}
}

// covers notes what an expected record is a vector of.
func covers(t *testing.T, seen map[string]bool, r map[string]any) {
	t.Helper()
	for _, key := range []string{"outcome", "code", "refresh"} {
		seen[fmt.Sprintf("%s %v", key, r[key])] = true
	}
	if r["outcome"] == Blocked {
		return
	}
	p, err := ParsePointer(fmt.Sprint(r["pointer"]))
	if err != nil {
		t.Fatal(err)
	}
	seen["kind "+p.Kind().Name] = true
	seen["identity "+string(p.Identity().Tag())] = true
	if !p.Selector().IsZero() {
		name, _, _ := strings.Cut(p.Selector().Head(), "+")
		seen["selector "+name] = true
	}
	for _, rule := range p.Rules() {
		seen["rule "+rule.Name()] = true
	}
}

// codesOfPlain are about plain references and pins: their vectors stand under
// testdata/vectors/check.
var codesOfPlain = []authority.Code{authority.AmbiguousAuthority, authority.MissingReference}

// needed is everything that must have a vector.
func needed() []string {
	list := []string{
		"outcome " + Resolved, "outcome " + Refreshed, "outcome " + Blocked,
		"refresh " + RefreshNotNeeded, "refresh " + RefreshPerformed, "refresh " + RefreshNotAttempted,
		"refresh " + RefreshSpent, "refresh " + RefreshNotAllowed, "refresh " + RefreshFailed,
	}
	for _, c := range authority.Codes() {
		if !slices.Contains(codesOfPlain, c) {
			list = append(list, "code "+string(c))
		}
	}
	for _, k := range authority.Kinds() {
		list = append(list, "kind "+k.Name)
		for _, tag := range k.Tags {
			list = append(list, "identity "+string(tag))
		}
	}
	for _, name := range selector.Names() {
		list = append(list, "selector "+name)
	}
	for _, r := range DescribeRules() {
		list = append(list, "rule "+r.Name)
	}
	return list
}

// TestBehaviourFormat refuses vectors that would prove less than they seem to.
func TestBehaviourFormat(t *testing.T) {
	const body = "-- steps --\nput a b\n-- b --\nx\n-- pointer --\nctxptr:\n-- record --\n{\"outcome\": \"resolved\"}\n"
	const head = "expect: resolved\ncomment: c\n"
	for name, text := range map[string]string{
		"unknown key":         head + "expects: resolved\n" + body,
		"no key":              head + "resolved\n" + body,
		"no expect":           "comment: c\n" + body,
		"no comment":          "expect: resolved\n" + body,
		"unknown option":      head + "options: refreshed\n" + body,
		"unknown requirement": head + "requires: windows\n" + body,
		"key twice":           head + "from: a\nfrom: b\n" + body,
		"no number":           head + "max-bytes: all\n" + body,
		"unknown member":      head + body + "-- c --\n",
		"member twice":        head + body + "-- b --\n",
		"no pointer":          head + strings.Replace(body, "-- pointer --\n", "", 1),
		"pointer and pieces":  head + body + "-- pieces --\n1 x\n",
		"no record":           head + strings.Replace(body, "record", "prior", 1),
	} {
		if _, err := parseBehaviour([]byte(text)); err == nil {
			t.Errorf("%s: the vector was read", name)
		}
	}
	v, err := parseBehaviour([]byte(head + body))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.records(verdict); err != nil {
		t.Error(err)
	}
	v.expect[0] = Refreshed
	if _, err := v.records(verdict); err == nil {
		t.Error("expect contradicts the record, and nothing says so")
	}
	for _, s := range []step{{"put", "a"}, {"puts", "a", "b"}, {"put", "%zz", "b"}, {"put", "a", "c"}, {"git", "no-such-command"}, {"git!", "version"}} {
		if err := s.run(v, t.TempDir()); err == nil {
			t.Errorf("step %q was performed", s)
		}
	}
}

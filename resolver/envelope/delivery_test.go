package envelope

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// delivery is the folder with the envelopes of one delivery of this project.
var delivery = filepath.Join("..", "..", "testdata", "delivery")

// deliveryKind is the kind of a file of the delivery, nil of one that is none.
func deliveryKind(name string) *Kind {
	for _, kind := range Kinds() {
		if strings.HasSuffix(name, "-"+kind.Name+".md") {
			return kind // a report is named after what was reviewed
		}
		rest, found := strings.CutPrefix(name, kind.Name)
		if found && (rest[0] == '.' || rest[0] == '-') {
			return kind
		}
	}
	return nil
}

// history opens the project's own repository. In a source archive there is none:
// then nil is returned, and the form alone can be checked. A repository without
// the commits that the pointers name fails the test.
func history(t *testing.T) *authority.Workspace {
	t.Helper()
	if _, err := os.Stat(filepath.Join("..", "..", ".git")); err != nil {
		t.Log("this is no repository: the pointers of the delivery are not resolved, their form alone is checked")
		return nil
	}
	dir, err := filepath.Abs(delivery)
	if err != nil {
		t.Fatal(err)
	}
	w, err := authority.Open(t.Context(), authority.Config{Dir: dir, MaxBytes: 64 << 20, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func validateDelivery(t *testing.T, w *authority.Workspace, kind *Kind, name string, data []byte) *Result {
	t.Helper()
	o := Options{Name: name, File: "testdata/delivery/" + name}
	if task, found := strings.CutPrefix(name, "task-result-"); found {
		scope, err := os.ReadFile(filepath.Join(delivery, "scope-"+strings.TrimSuffix(task, ".json")+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		o.Scope = strings.Fields(string(scope))
	}
	r, err := Validate(t.Context(), w, kind, data, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestDelivery holds that every envelope of the delivery is valid and every
// pointer in it resolved, and that each is noticed to be wrong when one digit
// of an identity in it is.
func TestDelivery(t *testing.T) {
	w := history(t)
	entries, err := os.ReadDir(delivery)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, entry := range entries {
		kind := deliveryKind(entry.Name())
		if kind == nil {
			continue
		}
		kinds = append(kinds, kind.Name)
		data, err := os.ReadFile(filepath.Join(delivery, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		r := validateDelivery(t, w, kind, entry.Name(), data)
		if line, err := r.Line(); err != nil || r.Outcome != Valid || len(r.Findings) > 0 || r.Has(resolver.Refreshed) {
			t.Errorf("%s: %v\n%s", entry.Name(), err, line)
		}
		if w == nil || r.Measured.Pointers == 0 {
			continue
		}
		wrong := bytes.Clone(data)
		digit := bytes.Index(wrong, []byte(":immutable")) - 1
		wrong[digit] = map[bool]byte{true: '1', false: '0'}[wrong[digit] == '0']
		if r := validateDelivery(t, w, kind, entry.Name(), wrong); r.Outcome != Invalid {
			t.Errorf("%s: a wrong identity is valid", entry.Name())
		}
	}
	slices.Sort(kinds)
	if got := slices.Compact(kinds); len(kinds) < 21 || len(got) < 10 {
		t.Errorf("%d envelopes of the kinds %v: some are gone", len(kinds), got)
	}
}

// TestDeliveryReport holds that the retained report of the delivery is about the
// packet that its reviewers read, and that its target is what git has.
func TestDeliveryReport(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(delivery, "review-*-review-report.md"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%d retained reports, want 1 (%v)", len(names), err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	report, found := ParseReport(names[0], data)
	if report == nil {
		t.Fatalf("%+v", found)
	}
	text, err := os.ReadFile(filepath.Join(delivery, "review-packet.json"))
	if err != nil {
		t.Fatal(err)
	}
	packet := newDocument(text)
	packet.read()
	for key, want := range map[string]string{
		"review_run_id": report.Run, "accepted_bounds_hash": report.BoundsHash,
		"snapshot_hash": report.Snapshot, "source_set_hash": report.SourceSet,
	} {
		if got := packet.root.get(key).str(); got != want {
			t.Errorf("the packet's %s is %s, the report's %s", key, got, want)
		}
	}
	w := history(t)
	if w == nil {
		return
	}
	n, err := Normalize(t.Context(), w, "testdata/delivery/"+filepath.Base(names[0]))
	if err != nil {
		t.Fatal(err)
	}
	if n.Report == nil || n.Report.PatchHash != report.Target.PatchHash || n.After == nil || *n.After != *n.Before {
		t.Errorf("%+v", n)
	}
	commits := 0
	for _, r := range n.Records {
		if strings.HasPrefix(r.ID, "/report/normalized_target/") && r.Outcome == resolver.Resolved {
			commits++
		}
	}
	if commits != 2 {
		t.Errorf("%d commits of the target are there, want 2", commits)
	}
}

package resolver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxptr/authority"
)

// inputsFolder is a folder that is no repository, with files by name.
func inputsFolder(t testing.TB, files map[string]string) *authority.Workspace {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w, err := authority.Open(t.Context(), authority.Config{Dir: dir, MaxBytes: 64 << 20, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func mintKind(t testing.TB, w *authority.Workspace, kind, locator string) *Record {
	t.Helper()
	k, err := authority.LookupKind(kind)
	if err != nil {
		t.Fatal(err)
	}
	l, err := authority.ParseLocator(k, locator)
	if err != nil {
		t.Fatal(err)
	}
	return Mint(t.Context(), w, Wanted{Locator: l}, locator)
}

// unknownSet is a pointer to a set of inputs, with an identity it cannot have.
func unknownSet(name string) string {
	return "ctxptr:inputs:" + name + "@blake3:" + strings.Repeat("0", 64) + ":matches_current\n"
}

// TestSetsThatRepeat has each of 60 sets list the one before it twice: 2^60
// members, which cost no more than 60 sets.
func TestSetsThatRepeat(t *testing.T) {
	files := map[string]string{"f": "1\n"}
	w := inputsFolder(t, files)
	files["0"] = mintKind(t, w, "file", "f").Pointer + "\n"
	for i := range 60 {
		files[fmt.Sprint(i+1)] = strings.Repeat(unknownSet(fmt.Sprint(i)), 2)
	}
	w = inputsFolder(t, files)
	if r := mintKind(t, w, "inputs", "60"); r.Outcome != Resolved || len(r.Changed) != 2 {
		t.Errorf("%+v", r)
	}
}

// TestSetsNestWithinABound has sets list each other in a chain.
func TestSetsNestWithinABound(t *testing.T) {
	files := map[string]string{"f": "1\n"}
	files["0"] = mintKind(t, inputsFolder(t, files), "file", "f").Pointer + "\n"
	for i := range 2 * maxNested {
		files[fmt.Sprint(i+1)] = unknownSet(fmt.Sprint(i))
	}
	w := inputsFolder(t, files)
	if r := mintKind(t, w, "inputs", fmt.Sprint(maxNested-1)); r.Outcome != Resolved {
		t.Errorf("%+v", r)
	}
	if r := mintKind(t, w, "inputs", fmt.Sprint(2*maxNested)); r.Code != authority.MissingLimit || len(r.MissingProof) > 64<<10 {
		t.Errorf("%s: %d bytes", r.Code, len(r.MissingProof))
	}
}

// TestCyclesAreTheSameInEveryRun resolves sets on one cycle side by side, many
// times: each says that it reaches itself, whichever came first.
func TestCyclesAreTheSameInEveryRun(t *testing.T) {
	files := map[string]string{}
	var items []Item
	for i := range 8 {
		files[fmt.Sprint(i)] = unknownSet(fmt.Sprint((i + 1) % 8))
		items = append(items, ItemOf(strings.TrimSpace(unknownSet(fmt.Sprint(i)))))
	}
	w := inputsFolder(t, files)
	for range 50 {
		records, err := Resolve(t.Context(), w, items, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range records {
			want := fmt.Sprintf("the set of inputs %q reaches itself", fmt.Sprint(i))
			if r.Code != authority.MalformedAuthority || r.MissingProof != want {
				t.Fatalf("%d: %s: %s", i, r.Code, r.MissingProof)
			}
		}
	}
}

// TestManyChangedInputs holds the bound on what a record lists.
func TestManyChangedInputs(t *testing.T) {
	files := map[string]string{"f": "1\n"}
	stale := "ctxptr:file:f@blake3:" + strings.Repeat("0", 64) + ":matches_current\n"
	files["list"] = strings.Repeat(stale, maxChanged+7)
	r := mintKind(t, inputsFolder(t, files), "inputs", "list")
	if r.Outcome != Resolved || len(r.Changed) != maxChanged || r.ChangedOmitted != 7 {
		t.Errorf("%s: %d listed, %d omitted", r.Outcome, len(r.Changed), r.ChangedOmitted)
	}
}

// FuzzInputs holds that no list of inputs makes the resolver fail, and that what
// is resolved resolves again.
func FuzzInputs(f *testing.F) {
	f.Add([]byte("ctxptr:file:f@blake3:" + strings.Repeat("0", 64) + ":matches_current\n"))
	f.Add([]byte("[\"ctxptr:inputs:list@sha256:" + strings.Repeat("0", 64) + ":matches_current\"]"))
	f.Add([]byte("[1,{},{\"id\":\"x\"}]"))
	f.Add([]byte("ctxptr:remote:https://u:hunter2@h HEAD\n"))
	f.Fuzz(func(t *testing.T, list []byte) {
		w := inputsFolder(t, map[string]string{"f": "1\n", "list": string(list)})
		r := mintKind(t, w, "inputs", "list")
		if r.Outcome == Blocked {
			return
		}
		records, err := Resolve(t.Context(), w, []Item{ItemOf(r.Pointer)}, Options{})
		if err != nil || records[0].Outcome != Resolved {
			t.Errorf("%v: %+v", err, records[0])
		}
	})
}

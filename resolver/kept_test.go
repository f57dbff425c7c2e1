package resolver

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRecordsKeepNoDocument holds the records of a batch about many documents and
// asks how much memory they keep: not what the documents hold.
func TestRecordsKeepNoDocument(t *testing.T) {
	const files, size = 32, 1 << 20
	w, first := openFolder(t, "f0.md", "")
	long := strings.Repeat("x", 1<<10) + "\n"
	text := "# one\n\nonce\n\n# two\n\ntwice twice\n" + strings.Repeat(long, size/len(long))
	var texts []string
	var plain []Plain
	for i := range files {
		name := fmt.Sprintf("f%d.md", i)
		if err := os.WriteFile(filepath.Join(filepath.Dir(first), name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, stating(name, "once", "lines=3-3"), stating(name, "other", "lines=3-3"),
			stating(name, "twice", "text=twice"), stating(name, "", "heading=three"))
		plain = append(plain, Plain{Text: name + "#one", From: "doc.md", Path: name, Fragment: "one"},
			Plain{Text: name + ":3", From: "doc.md", Path: name, Lines: [2]int{3, 3}},
			Plain{Text: name + "#three", From: "doc.md", Path: name, Fragment: "three"})
	}
	before := heapInUse()
	records := resolveTexts(t, w, Options{Refresh: true, Keep: true}, texts...)
	for _, identify := range []bool{false, true} {
		more, err := ProvePlain(t.Context(), w, plain, PlainOptions{Identify: identify})
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, more...)
	}
	kept := heapInUse() - before
	outcomes := map[string]int{}
	for _, r := range records {
		outcomes[r.Outcome]++
	}
	if kept > files*size/4 {
		t.Errorf("%d records keep %d bytes, of documents of %d", len(records), kept, files*len(text))
	}
	for outcome, n := range map[string]int{Resolved: 3 * files, Exists: 2 * files, Refreshed: 0, Blocked: 5 * files} {
		if outcomes[outcome] != n {
			t.Errorf("%d %s, want %d: %v", outcomes[outcome], outcome, n, outcomes)
			break
		}
	}
}

// heapInUse is how many bytes of memory can be reached.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

package envelope

import (
	"slices"
	"strings"
	"testing"

	"ctxptr/resolver"
)

// receiptVector is one line of testdata/vectors/receipt/receipt.jsonl.
type receiptVector struct {
	Why      string      `json:"why"`
	Receipt  string      `json:"receipt"`  // verbatim
	Pointers []string    `json:"pointers"` // what a sound one comes down to, in order
	Findings [][2]string `json:"findings"` // every finding of another: code and JSON Pointer
}

func TestReceiptVectors(t *testing.T) {
	for _, v := range vectorLines[receiptVector](t, "receipt/receipt.jsonl", 35) {
		receipt, found := ParseReceipt([]byte(v.Receipt))
		var pointers []string
		if receipt != nil {
			for _, c := range receipt.claims {
				pointers = append(pointers, c.pointer.String())
			}
		}
		if got := codesAndPointers(t, found); !equalSets(got, v.Findings) || !slices.Equal(pointers, v.Pointers) || (len(found) == 0) != (len(v.Pointers) > 0) {
			t.Errorf("%s: got %v %q, want %v %q", v.Why, got, pointers, v.Findings, v.Pointers)
		}
	}
}

const fullReceipt = `{"schema":"ctxptr.receipt/v1","repository":"github.com/o/r","commit":"1111111111111111111111111111111111111111",
"ref":"refs/heads/main","paths":[{"path":"a","source_path":"b","identity":"gitBlob:1111111111111111111111111111111111111111"}]}`

// TestReceiptMutations deletes, renames, duplicates and retypes every key.
func TestReceiptMutations(t *testing.T) {
	doc := newDocument([]byte(fullReceipt))
	doc.read()
	count := 0
	for _, m := range mutations(doc.root) {
		text := m.write(doc.root)
		if m.what == "delete" && (m.at.key == "repository" || m.at.key == "source_path") {
			continue // optional
		}
		count++
		if _, found := ParseReceipt([]byte(text)); !m.caught(found) {
			t.Errorf("%s %s: %+v", m.what, m.at.path(), found)
		}
	}
	if count < 60 {
		t.Errorf("%d mutations, want at least 60", count)
	}
}

// FuzzReceipt demands that a receipt comes down to canonical pointers, one for the
// commit and two for each path, or to findings.
func FuzzReceipt(f *testing.F) {
	f.Add([]byte(fullReceipt))
	f.Add([]byte(strings.Replace(fullReceipt, `"path":"a"`, `"path":"../a"`, 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		receipt, found := ParseReceipt(data)
		if (receipt == nil) == (len(found) == 0) {
			t.Fatal("a receipt and findings, or neither")
		}
		if receipt == nil {
			return
		}
		if len(receipt.claims)%2 != 1 {
			t.Fatalf("%d claims", len(receipt.claims))
		}
		for _, c := range receipt.claims {
			if p, err := resolver.ParsePointer(c.pointer.String()); err != nil || p.String() != c.pointer.String() {
				t.Fatalf("%s: %v", c.pointer, err)
			}
		}
	})
}

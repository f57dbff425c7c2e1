package envelope

import (
	"slices"
	"strings"
	"testing"

	"ctxptr/resolver"
)

// receiptVector is one line of testdata/vectors/receipt/receipt.jsonl.
type receiptVector struct {
	Why      string   `json:"why"`
	Receipt  string   `json:"receipt"`  // verbatim
	Pointers []string `json:"pointers"` // what a sound one comes down to, in order
	Want     []struct {
		Pointer string `json:"pointer"`
		Code    string `json:"code"`
	} `json:"want"` // every finding of another
}

func TestReceiptVectors(t *testing.T) {
	for _, v := range readVectors[receiptVector](t, "receipt/receipt.jsonl", 35) {
		receipt, found := ParseReceipt([]byte(v.Receipt))
		var got, want []string
		for _, f := range found {
			got = append(got, f.Code+" "+f.Pointer)
		}
		for _, w := range v.Want {
			want = append(want, w.Code+" "+w.Pointer)
		}
		slices.Sort(got)
		slices.Sort(want)
		var pointers []string
		if receipt != nil {
			for _, c := range receipt.claims {
				pointers = append(pointers, c.pointer.String())
			}
		}
		if !slices.Equal(got, want) || !slices.Equal(pointers, v.Pointers) || (len(want) == 0) != (len(v.Pointers) > 0) {
			t.Errorf("%s: got %q %q, want %q %q", v.Why, got, pointers, want, v.Pointers)
		}
	}
}

const fullReceipt = `{"schema":"ctxptr.receipt/v1","repository":"github.com/o/r","commit":"1111111111111111111111111111111111111111",
"ref":"refs/heads/main","paths":[{"path":"a","source_path":"b","identity":"gitBlob:1111111111111111111111111111111111111111"}]}`

// TestReceiptMutations deletes, renames, duplicates and retypes every key.
func TestReceiptMutations(t *testing.T) {
	optional := map[string]bool{"/repository": true, "/paths/0/source_path": true}
	if _, found := ParseReceipt([]byte(fullReceipt)); len(found) > 0 {
		t.Fatal(found)
	}
	count := 0
	keysOf(readElement(newCheck(nil), "", 0, []byte(fullReceipt)), "", func(object *element, pointer string) {
		for i, member := range object.children {
			for _, m := range mutations {
				root := readElement(newCheck(nil), "", 0, []byte(fullReceipt))
				m.do(root.find(strings.Split(pointer, "/")[1:]), i)
				var b strings.Builder
				encode(&b, root)
				_, found := ParseReceipt([]byte(b.String()))
				said := m.said(pointer, member.key)
				named := slices.ContainsFunc(found, func(f Finding) bool { return f.Pointer == said })
				if count++; !named && !(m.name == "delete" && optional[said]) {
					t.Errorf("%s %s: %+v", m.name, said, found)
				}
			}
		}
	})
	if count < 30 {
		t.Errorf("%d mutations, want at least 30", count)
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

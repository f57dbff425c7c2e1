package resolver

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"ctxptr/authority"
)

// FuzzPointer holds that whatever parses has one canonical text, that this text
// parses to the same pointer, and that every error is typed and has a place.
func FuzzPointer(f *testing.F) {
	for _, v := range readGrammar(f, "pointer.jsonl") {
		if v.Text != nil {
			f.Add(*v.Text)
		} else {
			f.Add(unhex(f, v.TextHex))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePointer(text)
		if err != nil {
			checkMalformed(t, err, len(text))
			return
		}
		canonical := p.String()
		again, err := ParsePointer(canonical)
		if err != nil {
			t.Fatalf("canonical text does not parse: %v\n%q\n%q", err, text, canonical)
		}
		if again.String() != canonical || again.Identity() != p.Identity() ||
			again.Locator().String() != p.Locator().String() || again.Selector().String() != p.Selector().String() {
			t.Fatalf("canonical text is another pointer:\n%q\n%q", canonical, again)
		}
		for i := 0; i < len(canonical); i++ {
			if !inPointer(canonical[i]) {
				t.Fatalf("canonical text holds byte %#x", canonical[i])
			}
		}
		if found := FindInLine("see " + canonical + "."); len(found) != 1 || found[0].Text != canonical {
			t.Fatalf("canonical text is not found in a sentence: %v in %q", found, canonical)
		}
	})
}

func checkMalformed(t *testing.T, err error, length int) {
	t.Helper()
	fault, ok := errors.AsType[*authority.Fault](err)
	switch {
	case !ok:
		t.Fatalf("the error has no type: %v", err)
	case fault.Code.Reason() != "malformed" && fault.Code != authority.MissingUnsupportedSelector:
		t.Fatalf("a parser says %s", fault.Code)
	case fault.Offset < 0 || fault.Offset > length:
		t.Fatalf("offset %d in a text of %d bytes: %v", fault.Offset, length, fault)
	case !utf8.ValidString(fault.Proof) || strings.ContainsAny(fault.Proof, "\n\x00\x1b"):
		t.Fatalf("the sentence is not printable: %q", fault.Proof)
	}
}

// FuzzJSON holds that a pointer survives its JSON form, and that the decoder
// lets nothing through that encoding/json would have to guess at.
func FuzzJSON(f *testing.F) {
	for _, v := range readGrammar(f, "pointer-json.jsonl") {
		if v.JSON != nil {
			f.Add([]byte(*v.JSON))
		} else {
			f.Add([]byte(unhex(f, v.JSONHex)))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ParseJSON(text)
		if err != nil {
			checkMalformed(t, err, len(text))
			return
		}
		if !json.Valid(text) || !utf8.Valid(text) {
			t.Fatalf("no JSON parsed: %q", text)
		}
		form := jsonForm(p)
		again, err := ParseJSON(form)
		if !utf8.ValidString(p.Locator().String() + p.Selector().String()) {
			return // only the URI form carries it
		}
		if err != nil || again.String() != p.String() {
			t.Fatalf("JSON round trip: %v\n%s\n%s", err, text, form)
		}
	})
}

// jsonForm is the JSON form as any implementation would write it.
func jsonForm(p Pointer) []byte {
	form := map[string]string{
		"authority_kind": p.Kind().Name, "locator": p.Locator().String(),
		"identity": p.Identity().String(), "freshness_rule": p.Rules().String(),
	}
	if !p.Selector().IsZero() {
		form["selector"] = p.Selector().String()
	}
	text, err := json.Marshal(form)
	if err != nil {
		panic(err)
	}
	return text
}

// FuzzRecord holds that a record survives its line of JSON and that no line
// holds a byte that could steer a terminal.
func FuzzRecord(f *testing.F) {
	f.Add("docs/SPEC.md", "no file stands there", "a\x1b[31m\u202eb", 3)
	f.Add("", "\xff", "\u2028", 0)
	f.Fuzz(func(t *testing.T, input, proof, path string, n int) {
		item := Item{Text: input, At: &Place{Path: validPrefix(path), Line: 1, Column: 1}}
		r := item.malformed(n&0xffff, syntaxAt(n&0xffff, "%s", validPrefix(proof)))
		r.Observed = &Observed{Layer: authority.LayerWorktree, Path: validPrefix(path), Lines: &[2]int{1, 2}}
		r.Freshness = Proofs{{"matches_current", validPrefix(proof)}, {"index_clean", "x"}}
		r.Difference, r.IdenticalCut = "content", n%2 == 0
		r.IdenticalAt = []IdenticalPlace{{Path: validPrefix(path), Lines: &[2]int{1, 2}}, {PathURI: encode(path)}}
		line, err := r.Line()
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range line[:len(line)-1] {
			if c < ' ' || c == 0x7f {
				t.Fatalf("byte %#x at %d", c, i)
			}
		}
		if strings.ContainsAny(string(line), "\u202e\u2028\u0085\u200b") {
			t.Fatalf("a character that is not printable: %q", line)
		}
		again, err := parseRecord(line)
		if err != nil {
			t.Fatal(err)
		}
		second, err := again.Line()
		if err != nil || string(second) != string(line) {
			t.Fatalf("round trip: %v\n%s\n%s", err, line, second)
		}
	})
}

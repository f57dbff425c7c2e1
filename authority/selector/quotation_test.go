package selector

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// naiveOccurrences returns where quote stands in data.
func naiveOccurrences(data, quote string) []Range {
	var all []Range
	for i := 0; i+len(quote) <= len(data); i++ {
		if data[i:i+len(quote)] == quote {
			all = append(all, Range{i, i + len(quote)})
		}
	}
	return all
}

// checkCount compares an answer with the places there are.
func checkCount(t *testing.T, text string, r Range, err error, want []Range) {
	t.Helper()
	got := verdict(t, err)
	e, _ := errors.AsType[*Error](err)
	switch len(want) {
	case 0:
		if got != "missing:selection" {
			t.Errorf("%q is %s, want none", text, got)
		}
	case 1:
		if got != "range" || r != want[0] {
			t.Errorf("%q is %s %v, want %v", text, got, r, want[0])
		}
	default:
		if got != "ambiguous:selection" || len(e.Matches) != min(len(want), mostMatches) {
			t.Errorf("%q is %s, want %d places", text, got, len(want))
			return
		}
		for i, m := range e.Matches {
			if m.Range != want[i] {
				t.Errorf("%q: match %d is %v, want %v", text, i, m.Range, want[i])
			}
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("aa", "aaaa")
	f.Add("ab", "xabab")
	f.Add("x", "abc")
	f.Add("line", "a\nline\nb\nline\n")
	f.Fuzz(func(t *testing.T, quote, data string) {
		if quote == "" || len(quote) > mostQuotation || len(data) > 4096 {
			return
		}
		d := NewDocument("a.txt", []byte(data))
		r, err := choose(d, "text="+quote)
		checkCount(t, quote, r, err, naiveOccurrences(data, quote))
		checkCandidates(t, d, err)
	})
}

func FuzzSpan(f *testing.F) {
	f.Add("a", "b", "xaxbx")
	f.Add("a.", ".b", "a..b")
	f.Add("a", "b", "ba")
	f.Add("aa", "b", "aaab")
	f.Fuzz(func(t *testing.T, start, end, data string) {
		if start == "" || end == "" || start == end || len(start+end) > mostQuotation || len(data) > 4096 {
			return
		}
		text := "span=" + span{quotation(start), quotation(end)}.value()
		d := NewDocument("a.txt", []byte(data))
		r, err := choose(d, text)
		starts, ends := naiveOccurrences(data, start), naiveOccurrences(data, end)
		switch {
		case len(starts) == 0 || len(ends) == 0 && len(starts) == 1:
			checkCount(t, text, r, err, nil)
		case len(starts) > 1:
			checkCount(t, text, r, err, starts)
		case len(ends) > 1:
			checkCount(t, text, r, err, ends)
		case ends[0].From < starts[0].To:
			checkCount(t, text, r, err, nil)
		default:
			checkCount(t, text, r, err, []Range{{starts[0].From, ends[0].To}})
		}
	})
}

func FuzzLines(f *testing.F) {
	f.Add(1, 2, "a\r\nb\n")
	f.Add(2, 2, "a\n\n")
	f.Add(1, 1, "a\rb")
	f.Fuzz(func(t *testing.T, first, last int, data string) {
		if first < 1 || last < first || last > 999999999 {
			return
		}
		d := NewDocument("a.txt", []byte(data))
		r, err := choose(d, "lines="+lines{first, last}.value())
		all := strings.SplitAfter(data, "\n")
		if all[len(all)-1] == "" {
			all = all[:len(all)-1]
		}
		if last > len(all) {
			checkCount(t, "lines", r, err, nil)
			return
		}
		from := len(strings.Join(all[:first-1], ""))
		text := strings.Join(all[first-1:last], "")
		if cut, found := strings.CutSuffix(text, "\n"); found {
			text = strings.TrimSuffix(cut, "\r")
		}
		checkCount(t, "lines", r, err, []Range{{from, from + len(text)}})
		if a, b := d.Lines(r); len(text) > 0 && text[len(text)-1] != '\n' && text[0] != '\n' && (a != first || b != last) {
			t.Errorf("%q: lines %d-%d are reported as %d-%d", data, first, last, a, b)
		}
	})
}

func TestQuotationLimit(t *testing.T) {
	for size, want := range map[int]string{mostQuotation: "missing:selection", mostQuotation + 1: "malformed:selector"} {
		long := strings.Repeat("a", size)
		for _, text := range []string{"text=" + long, "span=" + long + "...b", "span=b..." + long} {
			if _, err := choose(NewDocument("a", []byte("b")), text); verdict(t, err) != want {
				t.Errorf("%.10s of %d bytes: %v", text, size, err)
			}
		}
	}
}

// TestManyMatches has more places than are listed, overlapping as much as they
// can.
func TestManyMatches(t *testing.T) {
	data := bytes.Repeat([]byte("a"), 1<<20)
	d := NewDocument("a", data)
	for _, text := range []string{"text=a", "text=" + strings.Repeat("a", mostQuotation), "span=aa...b", "span=a...aa"} {
		_, err := choose(d, text)
		if e, ok := errors.AsType[*Error](err); !ok || e.Fault != ManyMatches || len(e.Matches) != mostMatches {
			t.Errorf("%.10s: %v", text, err)
		}
	}
	d = NewDocument("a.md", bytes.Repeat([]byte("# A\n- AC-1\n\n"), mostMatches+1))
	for _, text := range []string{"heading=A", "heading+own=A", "anchor=a", "item=AC-1"} {
		_, err := choose(d, text)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Fault != ManyMatches || len(e.Matches) != mostMatches {
			t.Fatalf("%s: %v", text, err)
		}
		for i, m := range []Match{e.Matches[0], e.Matches[mostMatches-1]} {
			if r, err := choose(d, m.Alone); err != nil || r != m.Range {
				t.Errorf("%s: match %d, %s is %v, %v; want %v", text, i, m.Alone, r, err, m.Range)
			}
		}
	}
}

package envelope

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/reference"
)

// NormalizationSchema names the format of a Normalization.
const NormalizationSchema = "ctxptr.normalization/v1"

// The outcomes of a normalization.
const (
	Complete = "complete" // everything that the artefact names is proven
	Partial  = "partial"  // something is blocked, or the artefact itself is not sound
)

// Normalization is what a legacy artefact names, read as it lies there: nothing is
// written. Its JSON form is one line; the fields stand in this order.
type Normalization struct {
	Schema   string             `json:"schema"`
	File     string             `json:"file,omitempty"`     // relative to the root
	FileURI  string             `json:"file_uri,omitempty"` // percent-encoded, when the path is no UTF-8
	Outcome  string             `json:"outcome"`
	Before   *Digests           `json:"before"` // of the file's bytes before anything else was read; null when it cannot be read
	After    *Digests           `json:"after"`  // and when everything had been; null when it cannot be read again
	Report   *RetainedReport    `json:"report,omitempty"`
	Findings []Finding          `json:"findings"` // of what should be a retained review report
	Records  []*resolver.Record `json:"records"`  // of the file itself; in order of place; then what a report names
	Skipped  []Skipped          `json:"skipped"`  // what only looks like a reference that can be proven here
}

// Digests are the identities of a file's raw bytes.
type Digests struct {
	BLAKE3 string `json:"blake3"`
	SHA256 string `json:"sha256"`
}

func digestsOf(data []byte) *Digests {
	return &Digests{authority.BLAKE3Sum(data).String(), authority.SHA256Sum(data).String()}
}

// Skipped is a text that looks like a reference and is none that can be proven.
type Skipped struct {
	Form   string `json:"form"`
	Skip   string `json:"skip"` // why
	Text   string `json:"text"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Normalize reads the artefact at a path relative to the root. For every plain
// reference it mints the pointer to what is there today; pointers are resolved; of
// a retained review report the governing sources and the commits of the target are
// resolved with what is recorded of them. What cannot be proven is a blocked
// record, and so is a file that cannot be read, or is no text. The error is one of
// resolver.Resolve.
func Normalize(ctx context.Context, w *authority.Workspace, path string) (*Normalization, error) {
	n := &Normalization{Schema: NormalizationSchema}
	n.File, n.FileURI = resolver.PathInJSON(path)
	data, err := authority.ReadFile(ctx, w, path)
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		n.block(path, f)
		n.conclude()
		return n, nil
	}
	if err != nil {
		return nil, err
	}
	n.Before = digestsOf(data)
	if bytes.IndexByte(data, 0) >= 0 {
		n.block(path, &authority.Fault{
			Code: authority.MalformedAuthority, Proof: authority.Quote(path) + " has a NUL byte: it is no text, or one in UTF-16", Offset: -1,
		})
	}
	end := 0
	if isReport(path, data) {
		var report *Report
		if report, n.Findings = ParseReport(path, data); report != nil {
			n.Report, end = retained(report), endOfBlock(data)
		}
	}
	if err := n.references(ctx, w, path, data, end); err != nil {
		return nil, err
	}
	if n.Report != nil {
		if err := n.retained(ctx, w, path); err != nil {
			return nil, err
		}
	}
	n.again(ctx, w, path)
	n.conclude()
	return n, nil
}

// references proves what stands in the document from an offset on.
func (n *Normalization) references(ctx context.Context, w *authority.Workspace, path string, data []byte, from int) error {
	var items []resolver.Item
	var plain []resolver.Plain
	list, err := reference.Find(path, data)
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		n.block(path, f)
	}
	for _, r := range list {
		switch at := (&resolver.Place{Path: path, Line: r.Line, Column: r.Column}); {
		case r.From < from:
		case r.Skip != "":
			n.Skipped = append(n.Skipped, Skipped{string(r.Form), string(r.Skip), strings.ToValidUTF8(r.Text, "\ufffd"), r.Line, r.Column})
		case r.Form == reference.Pointer:
			items = append(items, resolver.Item{Text: r.Text, InText: true, At: at, From: path})
		default:
			plain = append(plain, r.Plain(path))
		}
	}
	pointers, err := resolver.Resolve(ctx, w, items, resolver.Options{})
	if err != nil {
		return err
	}
	minted, err := resolver.ProvePlain(ctx, w, plain, resolver.PlainOptions{Identify: true})
	if err != nil {
		return err
	}
	found := append(pointers, minted...)
	slices.SortStableFunc(found, func(a, b *resolver.Record) int { return a.At.Compare(*b.At) })
	n.Records = append(n.Records, found...)
	return nil
}

// again reads the file once more: reading an artefact must not have changed it, nor
// anybody else meanwhile.
func (n *Normalization) again(ctx context.Context, w *authority.Workspace, path string) {
	data, err := authority.ReadFile(ctx, w, path)
	if err == nil {
		n.After = digestsOf(data)
	}
	if n.After == nil || *n.After != *n.Before {
		n.block(path, &authority.Fault{
			Code: authority.AmbiguousObservation, Proof: authority.Quote(path) + " changed while it was read", Offset: -1,
		})
	}
}

// block adds a record about the file itself.
func (n *Normalization) block(path string, f *authority.Fault) {
	n.Records = append(n.Records, resolver.Unminted(path, f))
}

// conclude numbers the records and says what came out.
func (n *Normalization) conclude() {
	n.Outcome = Complete
	for i, r := range n.Records {
		r.Index = i
		if r.Outcome == resolver.Blocked {
			n.Outcome = Partial
		}
	}
	if failed(n.Findings) {
		n.Outcome = Partial
	}
}

// Line returns the normalization as one line of JSON with its line feed.
func (n *Normalization) Line() ([]byte, error) {
	out := *n
	out.Findings, out.Records, out.Skipped = orEmpty(out.Findings), orEmpty(out.Records), orEmpty(out.Skipped)
	return resolver.JSONLine(&out)
}

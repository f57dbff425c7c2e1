package envelope

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
)

// ReceiptSchema names the format of a source sync receipt.
const ReceiptSchema = "ctxptr.receipt/v1"

// receiptTags are the digests of a file's bytes.
var receiptTags = []authority.Tag{authority.BLAKE3, authority.SHA256, authority.GitBlob}

// maxReceipt is the most bytes that a receipt may have.
const maxReceipt = 16 << 20

// Receipt is a source sync receipt: files here are those of a commit that a ref
// reaches. It exists only if it came through ParseReceipt; whether it is true is
// for Prove to say.
type Receipt struct {
	claims []claim
}

// claim is one pointer that a receipt comes down to.
type claim struct {
	id      string // the JSON Pointer of what claims it, and there or here for a path
	at      int    // offset in the document
	pointer resolver.Pointer
	lines   *check
}

// ParseReceipt reads a receipt in JSON. It is nil unless there are no findings.
func ParseReceipt(data []byte) (*Receipt, []Finding) {
	c := newCheck(data)
	if len(data) > maxReceipt {
		c.add("", -1, CodeLimit, "it has %d bytes; a receipt has at most %d", len(data), maxReceipt)
		return nil, c.done()
	}
	e := readElement(c, "", 0, data)
	if e == nil {
		return nil, c.done()
	}
	c.shape("receipt", e)
	r := receiptReader{check: c, receipt: new(Receipt)}
	r.read(e)
	if found := c.done(); len(found) > 0 {
		return nil, found
	}
	return r.receipt, nil
}

// Prove resolves what the receipt claims, in its order: the commit, then each
// path there and here. file is the receipt's path relative to the root, empty when
// it lies elsewhere. The error is that of resolver.Resolve.
func (r *Receipt) Prove(ctx context.Context, w *authority.Workspace, file string, o resolver.Options) ([]*resolver.Record, error) {
	items := make([]resolver.Item, len(r.claims))
	for i, c := range r.claims {
		items[i] = resolver.Item{Text: c.pointer.String(), ID: c.id}
		if file != "" {
			line, column := c.lines.place(c.at)
			items[i].At = &resolver.Place{Path: file, Line: line, Column: column}
		}
	}
	return resolver.Resolve(ctx, w, items, o)
}

// receiptReader turns the values of a receipt into pointers.
type receiptReader struct {
	*check
	receipt *Receipt
	prefix  string // of locators in the repository there
	commit  string
	reached string // the rules of what stands there
}

// read takes the receipt's values. One that is wrong has its finding, and another
// stands in for it, so that the rest is read as well.
func (r *receiptReader) read(e *element) {
	r.commit, r.reached = strings.Repeat("0", 40), "immutable+reachable_from=refs/heads/main"
	if name, ok := e.get("repository").str(); ok && name != "" {
		if err := authority.CheckRepository(name); err != nil {
			r.fault("/repository", e.get("repository").at, err)
		} else {
			r.prefix = "//" + name + "//"
		}
	}
	if commit, _ := e.get("commit").str(); commitID(commit) == "" {
		r.commit = commit
	}
	if ref, _ := e.get("ref").str(); strings.HasPrefix(ref, "refs/") {
		if err := authority.CheckRefName(ref); err != nil {
			r.fault("/ref", e.get("ref").at, err)
		} else {
			r.reached = "immutable+reachable_from=" + resolver.EncodePath(ref)
		}
	}
	if at := e.get("commit"); at != nil {
		r.claim("/commit", at.at, "commit", r.prefix+r.commit, "gitCommit:"+r.commit, r.reached)
	}
	r.paths(e.get("paths"))
}

func (r *receiptReader) paths(list *element) {
	if list == nil || list.kind != '[' {
		return
	}
	var paths []string
	seen := map[string]bool{}
	for i, entry := range list.children {
		pointer := pointerTo("/paths", index(i))
		p, _ := entry.get("path").str()
		if seen[p] && p != "" {
			r.add(pointer+"/path", entry.get("path").at, CodeDuplicate, "the path stands twice")
		}
		seen[p] = true
		paths = append(paths, p)
		r.path(pointer, entry, p)
	}
	if !slices.IsSorted(paths) {
		r.add("/paths", list.at, CodeOrder, "the paths do not stand in the order of their bytes")
	}
}

// path claims that a file has the recorded digest there and here.
func (r *receiptReader) path(pointer string, entry *element, here string) {
	there, at := here, entry.at
	if source := entry.get("source_path"); source != nil {
		at = source.at
		if there, _ = source.str(); r.prefix == "" {
			r.add(pointer+"/source_path", source.keyAt, CodeUnknownKey, "in the root's own repository a file has one path")
		}
	}
	identity, _ := entry.get("identity").str()
	if id, err := authority.ParseIdentity(identity); here == "" || there == "" || err != nil || id.Whole() || !slices.Contains(receiptTags, id.Tag()) {
		return // the schema has refused it
	}
	r.claim(pointer+"/there", at, "git", r.prefix+r.commit+":"+there, identity, r.reached)
	r.claim(pointer+"/here", entry.at, "file", here, identity, "matches_current")
}

// claim adds a pointer of these parts, or a finding when one of them is none.
func (r *receiptReader) claim(id string, at int, kind, locator, identity, rules string) {
	p, err := pointerOf(kind, locator, identity, rules)
	if err != nil {
		r.fault(id, at, err)
		return
	}
	r.receipt.claims = append(r.receipt.claims, claim{id, at, p, r.check})
}

func (r *receiptReader) fault(pointer string, at int, err error) {
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		r.add(pointer, at, CodeForm, "%s", f.Proof)
	}
}

// pointerOf makes a pointer of decoded parts. The error is a *authority.Fault.
func pointerOf(kind, locator, identity, rules string) (resolver.Pointer, error) {
	k, err := authority.LookupKind(kind)
	if err != nil {
		return resolver.Pointer{}, err
	}
	l, err := authority.ParseLocator(k, locator)
	if err != nil {
		return resolver.Pointer{}, err
	}
	id, err := authority.ParseIdentity(identity)
	if err != nil {
		return resolver.Pointer{}, err
	}
	parsed, err := resolver.ParseRules(rules)
	if err != nil {
		return resolver.Pointer{}, err
	}
	return resolver.NewPointer(l, id, parsed, selector.Selector{})
}

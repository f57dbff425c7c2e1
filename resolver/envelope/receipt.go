package envelope

import (
	"context"
	"errors"
	"strings"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
)

// ReceiptSchema names the format of a source sync receipt.
const ReceiptSchema = "ctxptr.receipt/v1"

// Receipt is a source sync receipt: files here are those of a commit that a ref
// reaches. It exists only if it came through ParseReceipt; whether it is true is
// for Prove to say.
type Receipt struct {
	claims []claim
}

// claim is one pointer that a receipt comes down to.
type claim struct {
	id           string // the JSON Pointer of what claims it, and there or here for a path
	line, column int    // where that stands
	pointer      resolver.Pointer
}

// ParseReceipt reads a receipt in JSON. It is nil unless there are no findings.
func ParseReceipt(data []byte) (*Receipt, []Finding) {
	c := newCheck(data, &Options{})
	c.read()
	r := receiptReader{check: c, receipt: new(Receipt)}
	if c.root != nil {
		c.shape(schemaOf("receipt"), c.root)
		r.read(c.root)
	}
	if found := sortFindings(c.findings); len(found) > 0 {
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
			items[i].At = &resolver.Place{Path: file, Line: c.line, Column: c.column}
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
func (r *receiptReader) read(root *node) {
	r.commit, r.reached = strings.Repeat("0", 40), "immutable+reachable_from=refs/heads/main"
	if n := root.get("repository"); n.str() != "" {
		if err := authority.CheckRepository(n.text); err != nil {
			r.fault(n, n.path(), err)
		} else {
			r.prefix = "//" + n.text + "//"
		}
	}
	commit := root.get("commit")
	if commitID(commit.str()) == "" {
		r.commit = commit.text
	}
	if n := root.get("ref"); strings.HasPrefix(n.str(), "refs/") {
		if err := authority.CheckRefName(n.text); err != nil {
			r.fault(n, n.path(), err)
		} else {
			r.reached = "immutable+reachable_from=" + resolver.EncodePath(n.text)
		}
	}
	if commit != nil {
		r.claim(commit, "/commit", "commit", r.prefix+r.commit, "gitCommit:"+r.commit, r.reached)
	}
	list := root.get("paths")
	for _, entry := range list.list() {
		r.path(entry)
	}
	if list != nil {
		r.set(list, "path")
	}
}

// path claims that a file has the recorded digest there and here.
func (r *receiptReader) path(entry *node) {
	here := entry.get("path")
	there := here
	if source := entry.get("source_path"); source != nil {
		if there = source; r.prefix == "" {
			r.addAt(source, UnknownKey, "in the root's own repository a file has one path")
		}
	}
	if !r.holds(schemaOf("receipt").Properties["paths"].Items, entry) {
		return // the schema has refused it
	}
	identity := entry.get("identity").text
	r.claim(entry, entry.path()+"/there", "git", r.prefix+r.commit+":"+there.text, identity, r.reached)
	r.claim(entry, entry.path()+"/here", "file", here.text, identity, "matches_current")
}

// claim adds a pointer of these parts, or a finding when one of them is none.
func (r *receiptReader) claim(n *node, id, kind, locator, identity, rules string) {
	p, err := pointerOf(kind, locator, identity, rules)
	if err != nil {
		r.fault(n, id, err)
		return
	}
	line, column := r.place(n.from)
	r.receipt.claims = append(r.receipt.claims, claim{id, line, column, p})
}

func (r *receiptReader) fault(n *node, pointer string, err error) {
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		r.add(MalformedPointer, n.from, pointer, string(f.Code)+": "+f.Proof)
	}
}

// pointerOf makes a pointer of decoded parts. The error is a *authority.Fault.
func pointerOf(kind, locator, identity, rules string) (resolver.Pointer, error) {
	l, err := authority.LocatorOf(kind, locator)
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

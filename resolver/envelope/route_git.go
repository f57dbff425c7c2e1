package envelope

import (
	"errors"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// git compares the packet's git identity with the repository:
//
//   - branch, a short or full name, is the branch that HEAD is on;
//   - base, a commit id, is HEAD's commit or an ancestor of it;
//   - target, a commit id, is HEAD's commit;
//   - a base or target that is another revision names one commit now;
//   - with Claims.Base or Claims.Target that revision names the same commit, and for a
//     commit id this takes the place of the look at HEAD.
//
// A commit id is one in any spelling that stays with its commit: short, in capitals,
// with steps behind it. The literal none names nothing, whatever is called so.
func (r *router) git() error {
	identity := r.packet.get("git_identity")
	if err := r.branch(identity.get("branch")); err != nil {
		return err
	}
	if err := r.commit(TriggerBase, identity.get("base"), r.claims.Base, func(id string) claimed {
		return claimed{"commit", id, "immutable+reachable_from=HEAD"}
	}); err != nil {
		return err
	}
	return r.commit(TriggerTarget, identity.get("target"), r.claims.Target, func(string) claimed {
		return claimed{"ref", "HEAD", "matches_current"}
	})
}

const branchPrefix = "refs/heads/"

// branch compares the name of the branch that HEAD is on.
func (r *router) branch(n *node) error {
	head, err := authority.LocatorOf("ref", "HEAD")
	if err != nil {
		return err
	}
	o, err := head.Observe(r.ctx, r.w, "")
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		r.trigger(TriggerBranch, n, n.str(), string(f.Code))
		return nil
	}
	if err != nil {
		return err
	}
	if !isBranch(n.str(), o.Symref) {
		r.trigger(TriggerBranch, n, n.str(), o.Symref)
	}
	return nil
}

// isBranch reports whether a text names the branch of a full name. One that begins
// as a full name does is one, and no short name of another branch.
func isBranch(text, full string) bool {
	if strings.HasPrefix(text, branchPrefix) {
		return text == full
	}
	return text != none && branchPrefix+text == full
}

// claimed is what must have a commit as its identity.
type claimed struct{ kind, locator, rules string }

// commit compares a commit that the packet states with the revision that is
// claimed, or else with what git itself must say of a commit id.
func (r *router) commit(trigger string, n *node, revision string, own func(id string) claimed) error {
	id, fixed := n.str(), true
	if id == none {
		r.trigger(trigger, n, id, "")
		return nil
	}
	if commitID(id) != "" {
		record := r.minted(id)
		if record.Outcome != resolver.Resolved {
			r.unproven(trigger, n, record)
			return nil
		}
		fixed = r.isFixed(id)
		id = commitOf(record)
	}
	c := claimed{"commit", revision, "matches_current"}
	switch {
	case revision == "" && !fixed:
		return nil
	case revision == "":
		c = own(id)
	}
	p, err := pointerOf(c.kind, c.locator, string(authority.GitCommit)+":"+id, c.rules)
	if err != nil {
		r.trigger(trigger, n, n.str(), faultCode(err))
		return nil
	}
	records, err := resolver.Resolve(r.ctx, r.w, []resolver.Item{{Text: p.String(), ID: n.path()}}, resolver.Options{})
	if err != nil {
		return err
	}
	if records[0].Outcome != resolver.Resolved {
		r.unproven(trigger, n, records[0])
	}
	return nil
}

// isFixed reports whether a revision begins with the id of a commit, of which no
// ref has the name: it names the same commit whatever moves.
func (r *router) isFixed(revision string) bool {
	if i := strings.IndexAny(revision, "^~@:"); i >= 0 {
		revision = revision[:i]
	}
	if i := strings.LastIndex(revision, "-g"); i >= 0 {
		revision = revision[i+len("-g"):]
	}
	revision = strings.ToLower(revision)
	if strings.Trim(revision, "0123456789abcdef") != "" {
		return false
	}
	record := r.minted(revision)
	return record.Outcome == resolver.Resolved && strings.HasPrefix(commitOf(record), revision)
}

// commitOf is the commit id that a record of kind commit observed.
func commitOf(record *resolver.Record) string {
	return strings.TrimPrefix(record.Identity, string(authority.GitCommit)+":")
}

// minted is the record of the one commit that a revision names now.
func (r *router) minted(revision string) *resolver.Record {
	l, err := authority.LocatorOf("commit", revision)
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		return resolver.Unminted(revision, f)
	}
	return resolver.Mint(r.ctx, r.w, resolver.Wanted{Locator: l}, revision)
}

func (r *router) unproven(trigger string, n *node, record *resolver.Record) {
	t := r.trigger(trigger, n, n.str(), observedIdentity(record))
	t.Record = record
}

// faultCode is the code of a fault, "" for another error.
func faultCode(err error) string {
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		return string(f.Code)
	}
	return ""
}

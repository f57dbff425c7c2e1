package resolver

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ctxptr/authority"
)

// Rule is one freshness rule of a pointer.
type Rule struct {
	kind  *ruleKind
	value string
}

// Rules are the freshness rules of a pointer: one base rule, then any further
// ones, in table order, unrepeated.
type Rules []Rule

// ruleKind is one line of the table of rules.
type ruleKind struct {
	name    string
	base    bool                     // the first rule is a base rule, and only it
	takes   func(value string) error // checks the value; nil when the rule has none
	summary string
	doc     string
	// fits says why the rule of that name does not fit a kind or identity, "" when it
	// does.
	fits func(name string, k *authority.Kind, id authority.Identity) string
	// prove proves the rule for an attempt and returns how. Errors are
	// *authority.Fault.
	prove func(ctx context.Context, a *attempt, value string) (string, error)
}

// ruleKinds is the table of rules, in the order in which rules stand.
var ruleKinds = []*ruleKind{
	{
		name: "immutable", base: true, fits: fitsAll, prove: proveIdentity,
		summary: "the identity matches; a mismatch is a contradiction and is never refreshed",
		doc:     "For what cannot change: a full commit id, a released file.",
	},
	{
		name: "matches_current", base: true, fits: fitsAll, prove: proveIdentity,
		summary: "what is observed now has the stated identity",
		doc:     "The ordinary rule. A mismatch is stale:identity; the parent may refresh it.",
	},
	{
		name: "descends_from_stated", base: true, fits: fitsCommit, prove: proveDescent,
		summary: "the ref's tip is, or descends from, the stated commit",
		doc:     "For a branch that may advance and must not be rewound or forked. Only for kind ref with gitCommit.",
	},
	{
		name: "index_clean", fits: fitsListed,
		summary: "the working tree equals the index at the path",
		doc:     "Untracked, intent-to-add and unmerged are stale:unstaged; assume-unchanged and skip-worktree hide nothing.",
		prove: func(ctx context.Context, a *attempt, _ string) (string, error) {
			return a.workspace.IndexClean(ctx, a.observation)
		},
	},
	{
		name: "committed_clean", fits: fitsListed,
		summary: "the working tree equals the index and HEAD at the path",
		doc:     "As index_clean; an index that differs from HEAD, or an unborn branch, is stale:uncommitted.",
		prove: func(ctx context.Context, a *attempt, _ string) (string, error) {
			return a.workspace.CommittedClean(ctx, a.observation)
		},
	},
	{
		name: "reachable_from", takes: authority.CheckRefName, fits: fitsListed,
		summary: "the commit is the named ref's tip or an ancestor of it",
		doc:     "reachable_from=refs/heads/main, over full history; a shallow history that does not show it is missing:history_shallow.",
		prove: func(ctx context.Context, a *attempt, value string) (string, error) {
			return a.workspace.Reachable(ctx, a.observation, value)
		},
	},
	{
		name: "inputs_unchanged", prove: proveInputs, fits: fitsNoInputs,
		takes:   func(value string) error { _, err := parseInputsRef(value); return err },
		summary: "the set of inputs named there has the stated identity",
		doc:     "inputs_unchanged=blake3:HEX:plan/inputs.txt, composed as kind inputs does; else stale:inputs, and the record lists which members changed.",
	},
}

func fitsAll(string, *authority.Kind, authority.Identity) string { return "" }

func fitsListed(name string, k *authority.Kind, _ authority.Identity) string {
	if slices.Contains(k.Rules, name) {
		return ""
	}
	return "does not fit kind " + k.Name
}

func fitsNoInputs(_ string, k *authority.Kind, _ authority.Identity) string {
	if k.Name == "inputs" {
		return "does not fit kind inputs, which is one"
	}
	return ""
}

func fitsCommit(_ string, k *authority.Kind, id authority.Identity) string {
	if slices.Contains(k.Rules, "descends_from_stated") && id.Tag() == authority.GitCommit {
		return ""
	}
	return "fits only kind ref with a gitCommit identity"
}

func proveIdentity(_ context.Context, a *attempt, _ string) (string, error) {
	if a.found.Identity == a.pointer.identity {
		return "identity equal", nil
	}
	f := mismatch(authority.StaleIdentity, "%s has another identity now than the pointer states", a.pointer.noun())
	if a.observation.Unfetched(a.found) {
		f.Proof += "; a Git LFS pointer stands there instead of its bytes"
		f.Fix = []string{"git", "lfs", "pull"}
	}
	return "", f
}

func proveDescent(ctx context.Context, a *attempt, _ string) (string, error) {
	return a.workspace.Descends(ctx, a.observation, a.pointer.identity)
}

// noun names what a pointer's identity covers.
func (p Pointer) noun() string {
	if p.selector.IsZero() || p.identity.Whole() {
		return "the authority"
	}
	return "the selection"
}

// RuleHelp describes one rule.
type RuleHelp struct {
	Name, Summary, Doc string
	Base               bool
}

// DescribeRules returns the help of every rule, in the order in which rules
// stand.
func DescribeRules() []RuleHelp {
	list := make([]RuleHelp, len(ruleKinds))
	for i, k := range ruleKinds {
		list[i] = RuleHelp{k.name, k.summary, k.doc, k.base}
	}
	return list
}

// RulesOf returns the names of the rules that can stand with a kind, in the order
// in which rules stand.
func RulesOf(k *authority.Kind) []string {
	var names []string
	for _, rule := range ruleKinds {
		fits := func(t authority.Tag) bool { return rule.fits(rule.name, k, authority.Like(t, false)) == "" }
		if slices.ContainsFunc(k.Tags, fits) {
			names = append(names, rule.name)
		}
	}
	return names
}

// ParseRules parses the text of freshness rules, name[=value] joined by "+",
// values percent-encoded. The error is a *authority.Fault.
func ParseRules(text string) (Rules, error) { return parseRules(part{text: text}) }

func parseRules(p part) (Rules, error) {
	var rules Rules
	at, last := p.at, -1
	for text := range strings.SplitSeq(p.text, "+") {
		r, i, err := parseRule(part{text, at})
		if err != nil {
			return nil, err
		}
		switch first := len(rules) == 0; {
		case first && !r.kind.base:
			return nil, faultAt(authority.MalformedFreshnessRule, at, "the first rule is a base rule: %s", baseNames())
		case !first && r.kind.base:
			return nil, faultAt(authority.MalformedFreshnessRule, at, "%s is a base rule; exactly one stands, first", r.kind.name)
		case i <= last:
			return nil, faultAt(authority.MalformedFreshnessRule, at, "%s is repeated or out of order; the order is %s", r.kind.name, ruleNames())
		}
		rules, last = append(rules, r), i
		at += len(text) + 1
	}
	return rules, nil
}

// parseRule parses one rule and returns its place in the table.
func parseRule(p part) (Rule, int, error) {
	name, raw, hasValue := strings.Cut(p.text, "=")
	i := slices.IndexFunc(ruleKinds, func(k *ruleKind) bool { return k.name == name })
	if i < 0 {
		if j := firstNotRaw(name); j < len(name) && name[j] != '%' {
			return Rule{}, 0, syntaxAt(p.at+j, "the byte 0x%02x cannot stand in a rule name", name[j])
		}
		return Rule{}, 0, faultAt(authority.MalformedFreshnessRule, p.at, "unknown freshness rule %s; known are %s", authority.Quote(name), ruleNames())
	}
	k := ruleKinds[i]
	switch {
	case hasValue && k.takes == nil:
		return Rule{}, 0, faultAt(authority.MalformedFreshnessRule, p.at+len(name), "%s takes no value", name)
	case !hasValue && k.takes != nil:
		return Rule{}, 0, faultAt(authority.MalformedFreshnessRule, p.at+len(name), "%s lacks its =value", name)
	case !hasValue:
		return Rule{kind: k}, i, nil
	}
	at := p.at + len(name) + 1
	value, err := decode(raw, at)
	if err != nil {
		return Rule{}, 0, err
	}
	if err := k.takes(value); err != nil {
		return Rule{}, 0, asRuleFault(err, part{raw, at})
	}
	return Rule{kind: k, value: value}, i, nil
}

// asRuleFault gives a fault about a rule's value the rule's code and place.
func asRuleFault(err error, p part) error {
	placed := place(err, p)
	if f, ok := errors.AsType[*authority.Fault](placed); ok {
		f.Code = authority.MalformedFreshnessRule
	}
	return placed
}

func ruleNames() string { return joinRules(func(*ruleKind) bool { return true }) }

func baseNames() string { return joinRules(func(k *ruleKind) bool { return k.base }) }

func joinRules(keep func(*ruleKind) bool) string {
	var names []string
	for _, k := range ruleKinds {
		if keep(k) {
			names = append(names, k.name)
		}
	}
	return strings.Join(names, " ")
}

// fit holds the rules against the kind and identity they stand with.
func (r Rules) fit(k *authority.Kind, id authority.Identity) *authority.Fault {
	for _, rule := range r {
		if why := rule.kind.fits(rule.kind.name, k, id); why != "" {
			return mismatch(authority.MalformedFreshnessRule, "%s %s", rule.kind.name, why)
		}
	}
	return nil
}

// Name returns the rule's name.
func (r Rule) Name() string { return r.kind.name }

// immutable reports whether the base rule forbids another identity.
func (r Rules) immutable() bool { return r[0].kind.name == "immutable" }

// String returns the canonical spelling, as in a pointer.
func (r Rules) String() string {
	var b strings.Builder
	r.encodeTo(&b)
	return b.String()
}

func (r Rules) encodeTo(b *strings.Builder) {
	for i, rule := range r {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(rule.kind.name)
		if rule.kind.takes != nil {
			b.WriteByte('=')
			encodeTo(b, rule.value)
		}
	}
}

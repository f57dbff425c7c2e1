package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
	"ctxptr/resolver/envelope"
)

// topic is one group of things that explain teaches.
type topic struct {
	name string
	list func(b *strings.Builder)
	one  func(b *strings.Builder, name string) bool
}

// topics is the table of groups. A name that stands in one group needs no group
// before it.
var topics = []topic{
	{"code", listCodes, explainCode},
	{"envelope", listEnvelopes, explainEnvelope},
	{"exit", listExits, explainExit},
	{"finding", listFindings, explainFinding},
	{"kind", listKinds, explainKind},
	{"rule", listRules, explainRule},
	{"selector", listSelectors, explainSelector},
	{"trigger", listTriggers, explainTrigger},
}

func newExplain(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [NAME] | explain code|envelope|exit|finding|kind|rule|selector|trigger [NAME]",
		Short: "Teach a code, exit code, kind, rule, selector, envelope, finding or trigger",
		Long: `explain teaches what stands in records, pointers and envelopes, and what to do next.
A group lists its names; a name that stands in several groups is taught from each.
Without arguments everything is listed.`,
		Example: `  ctxptr explain stale:identity
  ctxptr explain kind git
  ctxptr explain selector`,
		ValidArgsFunction: completeExplain,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := explain(cmd.Context(), args)
			if about, _, _ := cmd.Root().Find(args); err != nil && about != cmd.Root() {
				return usagef("%v; %s help %s is about the command", err, cmd.Root().Name(), about.Name())
			}
			if err != nil {
				return err
			}
			return a.write([]byte(text))
		},
	}
}

func explain(ctx context.Context, args []string) (string, error) {
	var b strings.Builder
	if len(args) == 0 {
		for _, t := range topics {
			fmt.Fprintf(&b, "%s\n", t.name)
			t.list(&b)
		}
		return b.String(), nil
	}
	for _, t := range topics {
		switch {
		case t.name != args[0] || len(args) > 2:
		case len(args) == 1:
			t.list(&b)
			return b.String(), nil
		case t.teach(ctx, &b, args[1]):
			return b.String(), nil
		default:
			return "", usagef("no %s is named %q; ctxptr explain %s lists them", t.name, args[1], t.name)
		}
	}
	if len(args) == 1 && explainBare(ctx, &b, args[0]) {
		return b.String(), nil
	}
	return "", usagef("nothing to explain is named %q; ctxptr explain lists everything", strings.Join(args, " "))
}

// explainBare teaches a name from every group that has it, false when none has.
func explainBare(ctx context.Context, b *strings.Builder, name string) bool {
	for _, t := range topics {
		var one strings.Builder
		if !t.teach(ctx, &one, name) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(one.String())
	}
	return b.Len() > 0
}

// teach writes what is known of one name of the group, false when it has none.
func (t topic) teach(ctx context.Context, b *strings.Builder, name string) bool {
	known := t.one(b, name)
	if known && t.name == "selector" && name == "symbol" {
		fmt.Fprintf(b, "Languages here: %s\n", strings.Join(selector.Languages(ctx), " "))
	}
	return known
}

func listCodes(b *strings.Builder) {
	for _, c := range authority.Codes() {
		means, _, _ := authority.Explain(c)
		fmt.Fprintf(b, "  %-34s %s\n", c, means)
	}
}

func explainCode(b *strings.Builder, name string) bool {
	means, next, ok := authority.Explain(authority.Code(name))
	return taught(b, name, means, next, ok)
}

// taught writes what a name means and what to do next, where it is known.
func taught(b *strings.Builder, name, means, next string, known bool) bool {
	if known {
		fmt.Fprintf(b, "%s\n  %s\n  Next: %s\n", name, means, next)
	}
	return known
}

func listExits(b *strings.Builder) {
	for _, e := range exits {
		fmt.Fprintf(b, "  %3d  %s\n", e.Code, e.Means)
	}
}

func explainExit(b *strings.Builder, name string) bool {
	for _, e := range exits {
		if fmt.Sprint(e.Code) == name {
			fmt.Fprintf(b, "%d  %s\n", e.Code, e.Means)
			return true
		}
	}
	return false
}

func listKinds(b *strings.Builder) {
	for _, k := range authority.Kinds() {
		fmt.Fprintf(b, "  %-8s %s\n", k.Name, k.Summary)
	}
}

func explainKind(b *strings.Builder, name string) bool {
	for _, k := range authority.Kinds() {
		if k.Name == name {
			fmt.Fprintf(b, "kind %s: %s\n\n%s\n\nLocator:    %s\nIdentities: %s\nRules:      %s\n",
				k.Name, k.Summary, k.Doc, k.Example, tagList(k), strings.Join(resolver.RulesOf(k), " "))
			return true
		}
	}
	return false
}

func listRules(b *strings.Builder) {
	for _, r := range resolver.DescribeRules() {
		fmt.Fprintf(b, "  %-22s %s\n", r.Name, r.Summary)
	}
}

func explainRule(b *strings.Builder, name string) bool {
	for _, r := range resolver.DescribeRules() {
		if r.Name == name {
			place := "a further rule, behind a base rule and +"
			if r.Base {
				place = "a base rule; exactly one stands, first"
			}
			fmt.Fprintf(b, "rule %s (%s): %s\n%s\n", r.Name, place, r.Summary, r.Doc)
			return true
		}
	}
	return false
}

func listSelectors(b *strings.Builder) {
	for _, name := range selector.Names() {
		help, _ := selector.Describe(name)
		fmt.Fprintf(b, "  %-8s %s\n", name, help.Summary)
	}
}

func explainSelector(b *strings.Builder, name string) bool {
	help, ok := selector.Describe(name)
	if ok {
		fmt.Fprintf(b, "selector %s: %s\n\n%s\n\nExample: %s\n", help.Name, help.Summary, help.Doc, help.Example)
	}
	return ok
}

func listEnvelopes(b *strings.Builder) { b.WriteString(envelopeList() + "\n") }

func explainEnvelope(b *strings.Builder, name string) bool {
	k, ok := envelope.LookupKind(name)
	if ok {
		fmt.Fprintf(b, "envelope %s: %s\n", k.Name, k.Summary)
		k.Describe(b)
	}
	return ok
}

func listFindings(b *strings.Builder) { listTaught(b, 24, envelope.Codes(), envelope.Explain) }

// listTaught writes what each name means, behind a column of that width.
func listTaught(b *strings.Builder, width int, names []string, explain func(string) (means, next string, ok bool)) {
	for _, name := range names {
		means, _, _ := explain(name)
		fmt.Fprintf(b, "  %-*s %s\n", width, name, means)
	}
}

func explainFinding(b *strings.Builder, name string) bool {
	means, next, ok := envelope.Explain(name)
	return taught(b, name, means, next, ok)
}

func listTriggers(b *strings.Builder) {
	listTaught(b, 14, envelope.Triggers(), envelope.ExplainTrigger)
}

func explainTrigger(b *strings.Builder, name string) bool {
	means, next, ok := envelope.ExplainTrigger(name)
	return taught(b, name, means, next, ok)
}

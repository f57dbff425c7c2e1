package main

import (
	"github.com/spf13/cobra"

	"ctxptr/resolver"
)

// proofFlags are how pointers are proven, where a command resolves them.
type proofFlags struct {
	refresh   bool
	identical bool
	prior     string
}

func (p *proofFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&p.refresh, "refresh", false, "look once more where a pointer is blocked, and adopt exactly one current identity (the parent's right)")
	f.BoolVar(&p.identical, "identical", false, "of what is blocked, list where else in the tracked tree the very same bytes stand; nothing of it is adopted")
	f.StringVar(&p.prior, "prior", "", "`FILE` with earlier JSON records, or -: their episodes are not refreshed again")
}

// options are those of the resolver; prior is what --prior names.
func (p *proofFlags) options(prior resolver.Prior) resolver.Options {
	return resolver.Options{Refresh: p.refresh, Prior: prior, Identical: p.identical}
}

// registerExclude registers what leaves documents out.
func registerExclude(cmd *cobra.Command, patterns *[]string) {
	cmd.Flags().StringArrayVar(patterns, "exclude", nil, "leave out files that `PATTERN` fits, as in .gitignore (repeatable)")
}

// registerTarget registers what narrows a command that writes to one target.
func registerTarget(cmd *cobra.Command, name string, target *string) {
	cmd.Flags().StringVar(target, name, "", "only what names `TARGET`: path, path#fragment, path:10-20, or as it is printed, as dir:src")
}

// registerDryRun registers what keeps a command that writes from it.
func registerDryRun(cmd *cobra.Command, dryRun *bool) {
	cmd.Flags().BoolVar(dryRun, "dry-run", false, "say what would be done, and write nothing")
}

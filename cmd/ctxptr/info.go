package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/authority/selector"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			languages := selector.Languages(cmd.Context())
			return a.write(fmt.Appendf(nil, "ctxptr %s\n%s %s/%s\nsymbols: %s\n",
				version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(languages, " ")))
		},
	}
}

// version is what the build recorded: the module's version, or the revision it
// was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	return info.Main.Version
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unexpected argument %q", args[0])
	}
	return nil
}

// shells is the table of shells that have a completion script.
var shells = []struct {
	name     string
	generate func(*cobra.Command, *app) error
}{
	{"bash", func(c *cobra.Command, a *app) error { return c.GenBashCompletionV2(a.out, true) }},
	{"fish", func(c *cobra.Command, a *app) error { return c.GenFishCompletion(a.out, true) }},
	{"powershell", func(c *cobra.Command, a *app) error { return c.GenPowerShellCompletionWithDesc(a.out) }},
	{"zsh", func(c *cobra.Command, a *app) error { return c.GenZshCompletion(a.out) }},
}

func newCompletion(a *app) *cobra.Command {
	names := make([]string, len(shells))
	for i, s := range shells {
		names[i] = s.name
	}
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print a completion script: " + strings.Join(names, ", "),
		Example:   "  ctxptr completion bash > /etc/bash_completion.d/ctxptr",
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, s := range shells {
				if len(args) == 1 && args[0] == s.name {
					return s.generate(cmd.Root(), a)
				}
			}
			return usagef("name one shell: %s", strings.Join(names, ", "))
		},
	}
}

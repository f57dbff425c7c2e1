package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/authority/selector"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Long:    "Print the version, what it was built with and for, and the languages whose symbols can\nbe selected.",
		Example: "  ctxptr version",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.version(cmd.Context()) },
	}
}

func (a *app) version(ctx context.Context) error {
	return a.write(fmt.Appendf(nil, "ctxptr %s\n%s %s/%s\nsymbols: %s\n",
		version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(selector.Languages(ctx), " ")))
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
	generate func(*cobra.Command, io.Writer) error
}{
	{"bash", func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) }},
	{"fish", func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) }},
	{"powershell", func(c *cobra.Command, w io.Writer) error { return c.GenPowerShellCompletionWithDesc(w) }},
	{"zsh", func(c *cobra.Command, w io.Writer) error { return c.GenZshCompletion(w) }},
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
				if len(args) != 1 || args[0] != s.name {
					continue
				}
				var script bytes.Buffer
				if err := s.generate(cmd.Root(), &script); err != nil {
					return err
				}
				return a.write(script.Bytes())
			}
			return usagef("name one shell: %s", strings.Join(names, ", "))
		},
	}
}

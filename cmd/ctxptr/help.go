package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// newHelp is cobra's help command, but for a command that there is not: naming
// one is an error of usage, not a success.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Help about a command",
		Example: "  ctxptr help resolve",
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, sub := range c.Root().Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, sub.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			named, rest, err := c.Root().Find(args)
			if err != nil || named == nil || len(rest) > 0 {
				name := strings.Join(args, " ")
				return usagef("unknown command %q%s", name, didYouMean(c.Root().SuggestionsFor(name)))
			}
			named.InitDefaultHelpFlag()
			return named.Help()
		},
	}
}

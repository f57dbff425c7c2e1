package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// guesses are flags that other programs have, and what does here what they do there.
var guesses = [...]struct {
	names []string
	flag  string // of the command that has it, empty for every command
	hint  string
}{
	{[]string{"json"}, "format", "it is --format json"},
	{[]string{"output", "o", "f"}, "format", "it is --format"},
	{[]string{"n"}, "dry-run", "it is --dry-run"},
	{[]string{"verbose", "debug"}, "", "it is --log-level debug"},
	{[]string{"v"}, "", "it is --log-level debug, or ctxptr version"},
	{[]string{"version", "V"}, "", "it is ctxptr version"},
	{[]string{"quiet", "q", "silent"}, "", "standard output holds data alone, and the exit code the verdict"},
	{[]string{"cwd", "chdir"}, "", "it is -C DIR"},
}

// flagError says of a flag that cannot be understood what would be.
func flagError(cmd *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return usagef("%v%s", err, meantFlag(cmd, e))
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := e.GetFlag()
		switch flag.Value.Type() {
		case "int", "int64":
			return usagef("--%s takes a whole number, not %q", flag.Name, e.GetValue())
		case "duration":
			return usagef("--%s takes a time with its unit, as 500ms or 1m30s, not %q", flag.Name, e.GetValue())
		case "bool":
			return usagef("--%s takes no value", flag.Name)
		}
	}
	return usagef("%v", err)
}

// meantFlag says what may have been meant, behind the message that there is no such
// flag.
func meantFlag(cmd *cobra.Command, e *pflag.NotExistError) string {
	name := e.GetSpecifiedName()
	for _, g := range guesses {
		if slices.Contains(g.names, name) && (g.flag == "" || !cmd.HasParent() || cmd.Flags().Lookup(g.flag) != nil) {
			return "; " + g.hint
		}
	}
	if group := e.GetSpecifiedShortnames(); group != "" {
		if len(group) > 1 {
			return "; what begins with - and is no flag stands behind --"
		}
		return ""
	}
	// The distance between names is what cobra measures for commands alone.
	known := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		known.AddCommand(&cobra.Command{Use: f.Name, Hidden: f.Hidden, Run: func(*cobra.Command, []string) {}})
	})
	var near []string
	for _, flag := range known.SuggestionsFor(name) {
		near = append(near, "--"+flag)
	}
	return didYouMean(near)
}

// didYouMean asks for one of the names, empty when there are none.
func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(names, " or ") + "?"
}

// hideFlag keeps a flag that works out of the help.
func hideFlag(cmd *cobra.Command, name string) {
	if err := cmd.Flags().MarkHidden(name); err != nil {
		panic("ctxptr: a flag that there is not is hidden: " + err.Error())
	}
}

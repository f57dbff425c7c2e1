package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/resolver/report"
)

// completeFrom completes the values of a flag from one of the tables.
func completeFrom(cmd *cobra.Command, flag string, names func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return names(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("ctxptr: a flag that there is not is completed: " + err.Error())
	}
}

func formatNames() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// reportNames are the formats of reports, each with its summary behind a tab.
func reportNames() []string {
	var names []string
	for _, f := range report.Formats {
		names = append(names, f.Name+"\t"+f.Summary)
	}
	return names
}

func kindNames() []string {
	var names []string
	for _, k := range authority.Kinds() {
		names = append(names, k.Name+"\t"+k.Summary)
	}
	return names
}

func tagNames() []string {
	var names []string
	for _, k := range authority.Kinds() {
		for _, t := range k.Tags {
			names = append(names, string(t))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func logLevelNames() []string {
	var names []string
	for _, l := range logLevels {
		names = append(names, l.name)
	}
	return names
}

// completeExplain completes a topic or a code, then a name of the topic.
func completeExplain(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, t := range topics {
		switch {
		case len(args) == 0:
			names = append(names, t.name)
			if t.name == "code" || t.name == "finding" {
				names = append(names, t.names()...)
			}
		case len(args) == 1 && t.name == args[0]:
			names = t.names()
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// names are the names of the topic, each with its summary behind a tab.
func (t topic) names() []string {
	var b strings.Builder
	t.list(&b)
	var names []string
	for line := range strings.Lines(b.String()) {
		name, summary, _ := strings.Cut(strings.TrimSpace(line), " ")
		names = append(names, name+"\t"+strings.TrimSpace(summary))
	}
	return names
}

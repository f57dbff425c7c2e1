package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelpBeginsWithWhy holds that the help of each command says first what it is
// for, and shows how it is used.
func TestHelpBeginsWithWhy(t *testing.T) {
	made := []*cobra.Command{newHelp()}
	for _, c := range commands {
		made = append(made, c.make(&app{}))
	}
	for _, c := range made {
		first, _, _ := strings.Cut(c.Long, "\n")
		if c.Long != "" && !strings.HasPrefix(first, c.Name()+" ") && !strings.HasPrefix(first, c.Short) {
			t.Errorf("%s: help begins with %q", c.Name(), first)
		}
		if !strings.Contains(c.Example, "  ctxptr "+c.Name()) {
			t.Errorf("%s: help has no example", c.Name())
		}
	}
}

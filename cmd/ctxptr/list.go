package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
)

func newSymbols(a *app) *cobra.Command {
	return newListing(a, "symbols", "List the definitions in source code that a pointer can select", "src/main.go", selector.Symbols)
}

func newSections(a *app) *cobra.Command {
	return newListing(a, "sections", "List the headings, anchors and items that a pointer can select", "docs/SPEC.md", selector.Sections)
}

func newKeys(a *app) *cobra.Command {
	return newListing(a, "keys", "List the values in JSON, YAML or TOML that a pointer can select", "package.json", selector.Keys)
}

// newListing makes one of the commands that show what can be pointed at.
func newListing(a *app, name, short, example string, list resolver.Lister) *cobra.Command {
	f := format{formatText}
	cmd := &cobra.Command{
		Use:   name + " PATH | REV:PATH",
		Short: short,
		Long: short + `.

Each line has the lines, the kind and the selector; what is listed resolves to
exactly its range.`,
		Example: "  ctxptr " + name + " " + example,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name one file")
			}
			return a.list(cmd.Context(), f, args[0], list)
		},
	}
	f.registerTextOrJSON(cmd)
	return cmd
}

func (a *app) list(ctx context.Context, f format, target string, list resolver.Lister) error {
	return a.inWorkspace(ctx, func(ctx context.Context, w *authority.Workspace) error {
		return a.listIn(ctx, w, f, target, list)
	})
}

func (a *app) listIn(ctx context.Context, w *authority.Workspace, f format, target string, list resolver.Lister) error {
	parts, err := resolver.List(ctx, w, a.dir, target, list)
	if fault, ok := errors.AsType[*authority.Fault](err); ok {
		if err := a.complain(resolver.Unminted(target, fault)); err != nil {
			return err
		}
		return exitWith(exitBlocked)
	}
	if err != nil {
		return err
	}
	out, err := renderParts(f, parts)
	if err != nil {
		return err
	}
	return a.write(out)
}

func renderParts(f format, parts []resolver.Part) ([]byte, error) {
	var out bytes.Buffer
	for _, p := range parts {
		if f.name == formatText {
			fmt.Fprintf(&out, "%-12s %-12s %s\n", fmt.Sprintf("%d-%d", p.Lines[0], p.Lines[1]), p.Kind, printable(p.Selector))
			continue
		}
		if err := jsonText(&out, p); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

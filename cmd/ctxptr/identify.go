package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/envelope"
)

type identifyOptions struct {
	values    map[string]*[]string // by primitive
	patchFile string
	format    format
}

func newIdentify(a *app) *cobra.Command {
	o := &identifyOptions{values: map[string]*[]string{}, format: format{formatText}}
	cmd := &cobra.Command{
		Use:   "identify NAME [--PRIMITIVE VALUE]... | identify NAME -",
		Short: "Print an identity of the review contract, computed from its primitives",
		Long: `identify prints the SHA-256 of one record of the format review-identity-v1, 64
hexadecimal digits and nothing else. Its primitives are flags, or one JSON object
on standard input (-) whose keys are the flags with _ for -: strings, a number for
ordinal, arrays of strings for sets, and in files objects of path and sha256.
Sets are sorted by their bytes; a member that stands twice, a short commit id or
any other doubt is refused. Files are relative to the current folder and enter the
record relative to the root. Where a flag takes a hash, the primitives behind it
can be given instead.

` + identifyNames(),
		Example: `  ctxptr identify accepted-bounds --bounds-identity bounds:v1:HI-104 --scope src/a.ts --scope docs/spec.md
  git diff "$base" "$head" -- src | ctxptr identify delivery-snapshot --locator repo:o/r --base-ref origin/main \
    --fixed-point "$base" --head "$head" --scope src --patch-file -
  ctxptr identify source-set --file docs/SPEC.md --file STANDARDS.md
  ctxptr identify delivery-run --goal goal:HI-104 --ordinal 2`,
		ValidArgsFunction: completeIdentify,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.identify(cmd, o, args) },
	}
	for _, p := range envelope.Params() {
		o.values[p.Name] = new([]string)
		cmd.Flags().StringArrayVar(o.values[p.Name], flagOf(p.Name), nil, repeatable(p))
	}
	cmd.Flags().StringVar(&o.patchFile, "patch-file", "", "hash this `FILE`, or - for standard input, as the patch")
	o.format.registerTextOrJSON(cmd)
	return cmd
}

// flagOf is the flag of a primitive: a set's is in the singular.
func flagOf(primitive string) string {
	switch primitive {
	case "files", "paths":
		primitive = strings.TrimSuffix(primitive, "s")
	}
	return strings.ReplaceAll(primitive, "_", "-")
}

func repeatable(p envelope.Param) string {
	if p.Many {
		return p.Help + " (repeatable)"
	}
	return p.Help
}

// identifyNames is the table of identities as help prints it.
func identifyNames() string {
	var b strings.Builder
	b.WriteString("Identities, and the primitives that each can be made of:")
	for _, name := range envelope.RecipeNames() {
		flags := envelope.ParamNames(name)
		for i := range flags {
			flags[i] = flagOf(flags[i])
		}
		fmt.Fprintf(&b, "\n  %-20s %s\n  %-20s   %s", name, envelope.RecipeSummary(name), "", strings.Join(flags, " "))
	}
	return b.String()
}

func completeIdentify(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if len(args) == 0 {
		for _, name := range envelope.RecipeNames() {
			names = append(names, name+"\t"+envelope.RecipeSummary(name))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) identify(cmd *cobra.Command, o *identifyOptions, args []string) error {
	switch {
	case len(args) == 0 || len(args) > 2 || len(args) == 2 && args[1] != "-":
		return usagef("name one identity: %s", strings.Join(envelope.RecipeNames(), ", "))
	case envelope.RecipeSummary(args[0]) == "":
		return usagef("no identity is named %s; there are %s", shown(args[0]), strings.Join(envelope.RecipeNames(), ", "))
	}
	p, err := a.primitives(cmd, o, args)
	if err == nil {
		var id *envelope.Identity
		if id, err = envelope.Identify(args[0], p); err == nil {
			return a.printIdentity(o.format, id)
		}
	}
	if e, ok := errors.AsType[*envelope.PrimitiveError](err); ok {
		name := e.Name
		if len(args) == 1 {
			name = "--" + flagOf(name)
		}
		return usagef("%s: %s", name, e.Why)
	}
	return err
}

func (a *app) printIdentity(f format, id *envelope.Identity) error {
	if f.name == formatText {
		return a.write([]byte(id.Identity + "\n"))
	}
	line, err := resolver.JSONLine(id)
	if err != nil {
		return err
	}
	return a.write(line)
}

// primitives takes them from the flags or from standard input.
func (a *app) primitives(cmd *cobra.Command, o *identifyOptions, args []string) (envelope.Primitives, error) {
	p := envelope.Primitives{Values: map[string][]string{}}
	for _, param := range envelope.Params() {
		if cmd.Flags().Changed(flagOf(param.Name)) && param.Name != "files" {
			p.Values[param.Name] = *o.values[param.Name]
		}
	}
	files := *o.values["files"]
	if len(args) == 2 {
		if len(p.Values) > 0 || len(files) > 0 || o.patchFile != "" {
			return p, usagef("primitives come from standard input or from flags, not from both")
		}
		data, err := a.readInput(cmd.Context(), "-")
		if err != nil {
			return p, inputError("standard input", err)
		}
		return envelope.ParsePrimitives(args[0], data)
	}
	if err := a.hashPatch(cmd.Context(), o, p); err != nil {
		return p, err
	}
	var err error
	p.Files, err = a.hashFiles(cmd.Context(), files)
	return p, err
}

// hashPatch makes a patch's hash of the file that --patch-file names.
func (a *app) hashPatch(ctx context.Context, o *identifyOptions, p envelope.Primitives) error {
	if o.patchFile == "" {
		return nil
	}
	if _, twice := p.Values["patch_hash"]; twice {
		return usagef("--patch-hash and --patch-file say the same; give one of them")
	}
	data, err := a.readInput(ctx, o.patchFile)
	if err != nil {
		return inputError("--patch-file "+shown(o.patchFile), err)
	}
	p.Values["patch_hash"] = []string{authority.SHA256Sum(data).Hex()}
	return nil
}

// hashFiles digests files as they lie there.
func (a *app) hashFiles(ctx context.Context, names []string) ([]authority.ReviewFile, error) {
	if len(names) == 0 {
		return nil, nil
	}
	files := make([]authority.ReviewFile, len(names))
	err := a.inWorkspace(ctx, func(ctx context.Context, w *authority.Workspace) error {
		for i, name := range names {
			path, err := a.inRoot(w, name)
			if err != nil {
				return err
			}
			data, err := authority.ReadFile(ctx, w, path)
			if err != nil {
				return err
			}
			files[i] = authority.ReviewFile{Path: path, Content: authority.SHA256Sum(data)}
		}
		return nil
	})
	return files, err
}

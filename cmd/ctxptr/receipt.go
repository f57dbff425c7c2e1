package main

import (
	"context"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/envelope"
)

type receiptOptions struct{ format format }

func newReceipt(a *app) *cobra.Command {
	o := &receiptOptions{format{formatText}}
	cmd := &cobra.Command{
		Use:   "receipt FILE | -",
		Short: "Prove a source sync receipt: its files are those of a commit that its ref reaches",
		Long: `receipt reads a source sync receipt (ctxptr schema receipt) and resolves what it
claims: the commit is reachable from the ref, and each path has the recorded digest
there, in the commit, and here, in the working tree. Each claim has its resolution
record; id is the place in the receipt. Where the receipt itself is wrong, each
fault is a record blocked as malformed:authority, and nothing is resolved.`,
		Example: `  ctxptr receipt sync.json && act
  ctxptr receipt --repo github.com/o/r=../r sync.json`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.receipt(cmd.Context(), o, args) },
	}
	a.look.register(cmd)
	o.format.register(cmd, "text, json or pointer (only the pointers that hold)")
	return cmd
}

func (a *app) receipt(ctx context.Context, o *receiptOptions, args []string) error {
	if len(args) != 1 {
		return usagef("name one receipt, or - for standard input")
	}
	data, err := a.readInput(ctx, args[0])
	if err != nil {
		return inputError(shown(args[0]), err)
	}
	return a.inWorkspace(ctx, func(ctx context.Context, w *authority.Workspace) (err error) {
		file := a.fileInRoot(w, args[0])
		receipt, found := envelope.ParseReceipt(data)
		records := malformed(args[0], file, found)
		if receipt != nil {
			if records, err = receipt.Prove(ctx, w, file, resolver.Options{}); err != nil {
				return err
			}
		}
		a.logRecords(records)
		if err := a.records(o.format, records); err != nil {
			return err
		}
		return exitWith(verdict(records))
	})
}

// malformed are the records of what is wrong with a document itself.
func malformed(name, file string, found []envelope.Finding) []*resolver.Record {
	records := make([]*resolver.Record, len(found))
	for i, f := range found {
		proof := f.Code + ": " + f.Message
		if f.Pointer != "" {
			proof = f.Code + " at " + f.Pointer + ": " + f.Message
		}
		r := resolver.Unminted(name, &authority.Fault{Code: authority.MalformedAuthority, Proof: proof, Offset: -1})
		r.Index, r.ID = i, f.Pointer
		if file != "" && f.Line > 0 {
			r.At = &resolver.Place{Path: file, Line: f.Line, Column: f.Column}
		}
		records[i] = r
	}
	return records
}

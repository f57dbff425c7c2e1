package main

import (
	"context"

	"github.com/spf13/cobra"

	"ctxptr/resolver"
)

func newRead(a *app) *cobra.Command {
	p := &pointerFlags{}
	cmd := &cobra.Command{
		Use:   "read POINTER... | - | --at FILE:LINE[:COLUMN]",
		Short: "Print the verified bytes that pointers name, and nothing else",
		Long: `read resolves like resolve and prints the selected bytes in the form that was
hashed, one after the other. When any pointer is blocked nothing is printed, and
the records are on standard error.`,
		Example: `  ctxptr read "$P" > section.md`,
		RunE:    func(cmd *cobra.Command, args []string) error { return a.read(cmd.Context(), p, args) },
	}
	p.register(cmd)
	a.look.register(cmd)
	return cmd
}

func (a *app) read(ctx context.Context, p *pointerFlags, args []string) error {
	records, err := a.answer(ctx, p, args, true)
	if err != nil {
		return err
	}
	code := verdict(records)
	var out [][]byte // apart: one authority can be named any number of times
	for _, r := range records {
		data, ok := r.Bytes()
		switch {
		case r.Outcome == resolver.Blocked:
			if err := a.complain(r); err != nil {
				return err
			}
		case !ok:
			return usagef("%s has no bytes to read", r.Name())
		case code != exitBlocked:
			out = append(out, data)
		}
	}
	if code == exitBlocked {
		return exitWith(code)
	}
	if err := a.write(out...); err != nil {
		return err
	}
	return exitWith(code)
}

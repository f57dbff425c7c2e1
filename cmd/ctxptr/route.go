package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/resolver/envelope"
	"ctxptr/resolver/report"
)

type routeOptions struct {
	packet, handoff string
	claims          envelope.Claims
	format          format
}

func newRoute(a *app) *cobra.Command {
	o := &routeOptions{format: format{formatText}}
	cmd := &cobra.Command{
		Use:   "route --packet FILE --goal ID --bounds ID --task ID --next-action TEXT [--handoff FILE]",
		Short: "Say whether a Delivery Context Packet may be carried on (warm) or not (cold)",
		Long: `route is warm only while goal, bounds, task and next action are those of the packet,
git says what the packet says, and every pointer in it resolves. Otherwise it is cold,
and every trigger is named; what is not given is a trigger too, and a handoff always
is. Cold means: discard the packet and resolve the named authorities anew.

Of the packet's git_identity, branch must be the one that HEAD is on. A base that is a
commit id must be HEAD's commit or an ancestor of it, a target that is one HEAD's
commit; another revision must name one commit now. With --base or --target what the
packet states must be the commit that this revision names, wherever HEAD is.

Exit codes: 0 warm, 4 cold, 1 when the packet itself is not valid, 2 no verdict.`,
		Example: `  ctxptr route --packet packet.json --goal goal:HI-104 --bounds bounds:v1:HI-104 \
    --task T-2 --next-action "implement T-2" && carry on
  ctxptr explain trigger target`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.route(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.packet, "packet", "", "the packet's `FILE`, or - for standard input")
	f.StringVar(&o.handoff, "handoff", "", "a handoff's `FILE` that was received: always cold")
	f.StringVar(&o.claims.Goal, "goal", "", "the delivery goal's `IDENTITY`")
	f.StringVar(&o.claims.Bounds, "bounds", "", "the accepted bounds' `IDENTITY`")
	f.StringVar(&o.claims.Task, "task", "", "the active task's or review's `IDENTITY`")
	f.StringVar(&o.claims.NextAction, "next-action", "", "what is to be done next, the `TEXT` as the packet has it")
	f.StringVar(&o.claims.Base, "base", "", "the packet's base must name the commit that this `REV` names")
	f.StringVar(&o.claims.Target, "target", "", "the packet's target must name the commit that this `REV` names")
	a.look.register(cmd)
	o.format.registerTextOrJSON(cmd)
	return cmd
}

func (a *app) route(ctx context.Context, o *routeOptions) error {
	if o.packet == "" && o.handoff == "" {
		return usagef("name the packet with --packet FILE; with --handoff alone the route is cold")
	}
	if err := stdinOnce(o.packet, o.handoff); err != nil {
		return err
	}
	packet, err := a.routed(ctx, "--packet", o.packet)
	if err != nil {
		return err
	}
	if o.claims.Handoff, err = a.routed(ctx, "--handoff", o.handoff); err != nil {
		return err
	}
	return a.inWorkspace(ctx, func(ctx context.Context, w *authority.Workspace) error {
		options := envelope.Options{Name: o.packet}
		if o.packet != "" {
			options.File = a.fileInRoot(w, o.packet)
		}
		r, err := envelope.RoutePacket(ctx, w, packet, options, o.claims)
		if err != nil {
			return err
		}
		a.log.Info().Str("outcome", r.Outcome).Int("triggers", len(r.Triggers)).Msg("routed")
		if err := a.printRoute(o.format, r); err != nil {
			return err
		}
		return exitWith(routeExit(r.Outcome))
	})
}

// routed reads what a flag names, nil when it names nothing.
func (a *app) routed(ctx context.Context, flag, name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	data, err := a.readInput(ctx, name)
	if err != nil {
		return nil, inputError(flag+" "+shown(name), err)
	}
	return append([]byte{}, data...), nil // not nil, even when it is empty
}

// routeExit is the exit code of an outcome.
func routeExit(outcome string) int {
	switch outcome {
	case envelope.Warm:
		return exitAllResolved
	case envelope.Cold:
		return exitCold
	}
	return exitBlocked
}

func (a *app) printRoute(f format, r *envelope.Route) error {
	if f.name == formatJSON {
		line, err := r.Line()
		if err != nil {
			return err
		}
		return a.write(line)
	}
	var b bytes.Buffer
	findingsText(&b, r.Name(), r.Findings)
	switch r.Outcome {
	case envelope.Warm:
		fmt.Fprintf(&b, "warm %s: carry on\n", shown(r.Name()))
	case envelope.Cold:
		fmt.Fprintf(&b, "cold: discard the packet and resolve the named authorities anew\n")
	default:
		fmt.Fprintf(&b, "invalid %s: no packet to carry on\n", shown(r.Name()))
	}
	for _, t := range r.Triggers {
		triggerText(&b, t)
	}
	for _, t := range r.Triggers {
		if t.Record != nil {
			report.Text(&b, t.Record)
		}
	}
	return a.write(b.Bytes())
}

// triggerText is one line: the trigger, what the packet states, and what is there.
func triggerText(b *bytes.Buffer, t envelope.Trigger) {
	text := fmt.Sprintf("stated %s, now %s", quoted(t.Stated), quoted(t.Observed))
	if t.Pointer != "" {
		text += " (" + printable(t.Pointer) + ")"
	}
	fmt.Fprintf(b, "  %-14s %s\n", t.Trigger, text)
}

// quoted is a text safe on a terminal, or nothing for nil.
func quoted(s *string) string {
	if s == nil {
		return "nothing"
	}
	return shown(*s)
}

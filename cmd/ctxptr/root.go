package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"ctxptr/authority"
	"ctxptr/authority/selector"
	"ctxptr/resolver"
)

// app is one run of the command: its streams, where it runs, and the flags that
// every command has.
type app struct {
	in       io.Reader
	out, err io.Writer
	dir      string // the current folder, absolute, symbolic links resolved by prepare
	getenv   func(string) string
	watch    func() // handles signals from now on

	chdir    []string
	root     string
	maxBytes int64
	timeout  time.Duration

	parseTimeout time.Duration
	logLevel     logLevel
	look         lookFlags
	log          zerolog.Logger
	cancel       context.CancelFunc
	here         string              // the current folder in the root, where text shows places; empty for the root
	sessions     []*selector.Session // whose processes may still be ending
}

const (
	defaultMaxBytes     = 64 << 20
	defaultParseTimeout = 2 * time.Second
)

// commands is the table of commands.
var commands = []struct {
	name string
	make func(*app) *cobra.Command
}{
	{"accept", newAccept},
	{"check", newCheck},
	{"completion", newCompletion},
	{"diff", newDiff},
	{"explain", newExplain},
	{"identify", newIdentify},
	{"keys", newKeys},
	{"mint", newMint},
	{"normalize", newNormalize},
	{"pin", newPin},
	{"read", newRead},
	{"receipt", newReceipt},
	{"resolve", newResolve},
	{"route", newRoute},
	{"schema", newSchema},
	{"sections", newSections},
	{"symbols", newSymbols},
	{"unpin", newUnpin},
	{"validate", newValidate},
	{"version", newVersion},
	{"who", newWho},
}

// addCommands adds the commands that the arguments name, or all of them where
// that is not enough: making a command costs more than what it then does for
// one pointer.
func addCommands(root *cobra.Command, a *app, args []string) {
	all := slices.ContainsFunc(args, func(arg string) bool {
		return arg == "help" || arg == "-h" || arg == "--help" || arg == "completion" || strings.HasPrefix(arg, cobra.ShellCompRequestCmd)
	})
	for _, c := range commands {
		if all || slices.Contains(args, c.name) {
			root.AddCommand(c.make(a))
		}
	}
	if !root.HasSubCommands() {
		for _, c := range commands {
			root.AddCommand(c.make(a))
		}
	}
}

func newRoot(a *app, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:           "ctxptr COMMAND",
		Short:         "Resolve Context Pointers: references that prove they are still fresh",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
	}
	showVersion := false
	root.RunE = func(c *cobra.Command, _ []string) error {
		if showVersion {
			return a.version(c.Context())
		}
		return c.Help()
	}
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c == root {
			c.Long = longHelp()
			c.SetUsageFunc(rootUsage)
		}
		help(c, args)
	})
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	hideFlag(root, "version") // for those who guess it
	flags := root.PersistentFlags()
	flags.StringArrayVarP(&a.chdir, "directory", "C", nil, "change to `DIR` first, as git does")
	flags.StringVar(&a.root, "root", "", "pointers are relative to `DIR` (default: the enclosing repository's top, else the current folder)")
	flags.Int64Var(&a.maxBytes, "max-bytes", defaultMaxBytes, "largest authority to read, in `BYTES`")
	flags.DurationVar(&a.timeout, "timeout", 0, "end the run after this `DURATION`; what is unproven then is blocked")
	flags.DurationVar(&a.parseTimeout, "parse-timeout", defaultParseTimeout, "processor `TIME` that parsing one source file may take")
	flags.Var(&a.logLevel, "log-level", "say more on standard error: debug, info, warn or error")
	completeFrom(root, "log-level", logLevelNames)
	root.PersistentPreRunE = a.prepare
	root.SetHelpCommand(newHelp())
	addCommands(root, a, args)
	return root
}

func noSuchCommand(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case strings.HasPrefix(args[0], "ctxptr:"):
		return usagef("a pointer stands behind a command, as resolve")
	}
	return usagef("unknown command %q%s", args[0], didYouMean(c.SuggestionsFor(args[0])))
}

// rootUsage writes what stands below longHelp. It is no template: these would keep
// every exported method of every type in the program, half as much again.
func rootUsage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage: ctxptr COMMAND [ARGUMENT...]; ctxptr help COMMAND says more\n\nAvailable Commands:\n")
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	fmt.Fprintf(&b, "\nFlags of every command:\n%s", c.LocalFlags().FlagUsages())
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// longHelp is the one screen that teaches the command.
func longHelp() string {
	var b strings.Builder
	b.WriteString(`ctxptr resolves Context Pointers: references to files, sections, commits and refs
that carry the identity of what they point at, so that nobody acts on what changed.

  ctxptr mint 'docs/SPEC.md#AC-010'     print a pointer to what is there now
  ctxptr resolve "$P" && act            act only while it is still that
  ctxptr check                          prove every pointer in the project's files

A pointer is resolved, refreshed (only with --refresh) or blocked, with the exact
missing proof. Nothing is cached or guessed; only pin, unpin and accept write.

Exit codes, the same in every format:
`)
	for _, e := range exits {
		fmt.Fprintf(&b, "  %3d  %s\n", e.Code, e.Means)
	}
	return strings.TrimRight(b.String(), "\n")
}

// prepare applies the flags that every command has.
func (a *app) prepare(cmd *cobra.Command, _ []string) error {
	a.dir = realFolder(a.dir)
	for _, dir := range a.chdir {
		if filepath.IsAbs(dir) {
			a.dir = realFolder(dir)
		} else {
			a.dir = realFolder(a.dir + string(filepath.Separator) + dir)
		}
		if err := isFolder(a.dir); err != nil {
			return fmt.Errorf("-C %s: %w", shown(dir), err)
		}
	}
	switch {
	case a.maxBytes < 0:
		return usagef("--max-bytes cannot be negative")
	case a.timeout < 0:
		return usagef("--timeout cannot be negative")
	case a.parseTimeout <= 0:
		return usagef("--parse-timeout must be positive")
	}
	a.log = zerolog.New(a.err).Level(a.logLevel.level())
	if a.timeout > 0 {
		ctx, cancel := context.WithTimeout(cmd.Context(), a.timeout)
		a.cancel = cancel
		cmd.SetContext(ctx)
	}
	a.in = &interruptible{ctx: cmd.Context(), from: a.in, before: func() {
		a.watch()
		a.log.Debug().Msg("reading standard input")
	}}
	return nil
}

// session returns a context under which source code is parsed, by a companion
// process where the language needs one, and what ends that process; the run waits
// for its end last.
func (a *app) session(ctx context.Context) (context.Context, func()) {
	s := selector.NewSession(selector.SessionOptions{Deadline: a.parseTimeout})
	a.sessions = append(a.sessions, s)
	return selector.WithSession(ctx, s), s.Stop
}

// inWorkspace calls do with an open workspace, in a session.
func (a *app) inWorkspace(ctx context.Context, do func(context.Context, *authority.Workspace) error) error {
	w, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer w.Leave()
	ctx, done := a.session(ctx)
	defer done()
	return do(ctx, w)
}

// open opens the workspace that pointers are resolved in.
func (a *app) open(ctx context.Context) (*authority.Workspace, error) {
	root := a.root
	if root != "" && !filepath.IsAbs(root) {
		root = filepath.Join(a.dir, root)
	}
	w, err := authority.Open(ctx, authority.Config{
		Dir: a.dir, Root: root, MaxBytes: a.maxBytes, Getenv: a.getenv,
		Network: a.look.network, Deep: a.look.deep, Repos: a.look.repos.within(a.dir),
	})
	if err != nil {
		what := "the current folder"
		if a.root != "" {
			what = "--root " + shown(a.root)
		}
		return nil, fmt.Errorf("%s: %w", what, withoutPath(err))
	}
	a.log.Debug().Str("root", w.Dir()).Msg("opened")
	a.standIn(w)
	return w, nil
}

// inRoot turns a path argument, relative to the current folder, into a path
// relative to the root. An unknown root leaves the path as it is, for the reading of
// it to say why.
func (a *app) inRoot(w *authority.Workspace, arg string) (string, error) {
	if w.Dir() == "" {
		return filepath.ToSlash(arg), nil
	}
	abs := arg
	if !filepath.IsAbs(arg) {
		abs = filepath.Join(a.dir, arg)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return "", usagef("%s: the folder does not exist", shown(arg))
	}
	rel, err := filepath.Rel(w.Dir(), filepath.Join(dir, filepath.Base(abs)))
	if err != nil || !filepath.IsLocal(rel) {
		return "", usagef("%s lies outside the root", shown(arg))
	}
	return filepath.ToSlash(rel), nil
}

// realFolder resolves the symbolic links of a folder, as the system does: what .. leads to
// depends on them. One that is not there stays as it is.
func realFolder(dir string) string {
	if at, err := filepath.EvalSymlinks(dir); err == nil {
		return at
	}
	return filepath.Clean(dir)
}

// logRecords tells the log what became of each pointer.
func (a *app) logRecords(records []*resolver.Record) {
	for _, r := range records {
		a.log.Debug().Int("index", r.Index).Str("outcome", r.Outcome).Str("code", string(r.Code)).Str("refresh", r.Refresh).Msg("pointer")
	}
	a.log.Info().Int("pointers", len(records)).Msg("resolved")
}

// logLevel is the value of --log-level.
type logLevel struct{ name string }

// logLevels are the values of --log-level, sorted.
var logLevels = [...]struct {
	name  string
	level zerolog.Level
}{
	{"debug", zerolog.DebugLevel}, {"error", zerolog.ErrorLevel},
	{"info", zerolog.InfoLevel}, {"warn", zerolog.WarnLevel},
}

func (l *logLevel) level() zerolog.Level {
	for _, known := range logLevels {
		if known.name == l.name {
			return known.level
		}
	}
	return zerolog.Disabled
}

func (l *logLevel) String() string { return l.name }

func (l *logLevel) Type() string { return "LEVEL" }

func (l *logLevel) Set(s string) error {
	if !slices.Contains(logLevelNames(), s) {
		return fmt.Errorf("a log level is debug, info, warn or error")
	}
	l.name = s
	return nil
}

package gitref

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// Options says what a Repo takes from its surroundings. The zero value is ready
// to use.
type Options struct {
	// Getenv looks up every environment variable that bears on git: GIT_*, HOME,
	// XDG_CONFIG_HOME, PATH. Nil means os.Getenv.
	Getenv func(string) string
	// Timeout bounds one call of the git binary. Zero means 30 seconds.
	Timeout time.Duration
}

// Repo answers questions about one repository, as seen from one folder. What it
// has observed once of HEAD, refs and index it keeps answering; a second
// observation is a second Open. It is safe for use from several goroutines.
type Repo struct {
	loc    *location
	format *repoFormat
	config lazy[*config]
	env    *environment
	git    lazy[*gitBinary] // nil when none is installed
	limit  time.Duration    // bound on one call of the git binary

	objects objectSource
	refs    refSource

	trees   treeCache
	roots   rootCache
	index   lazy[indexSource]
	shallow lazy[map[OID]struct{}]
	notes   lazy[[]string]
	attrs   attributes
	alone   attributes // of the worktree alone: see attributes.standing
	past    lazy[ancestry]
}

// Open finds the repository that git finds from the folder dir, absolute or
// relative to the current one, and checks that it may be trusted and can be
// read. Its errors are *Error: NoRepository, NotOwned, Unsupported, Denied,
// Corrupt.
func Open(ctx context.Context, dir string, o Options) (*Repo, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	env := newEnvironment(o.Getenv)
	from, err := startFolder(dir)
	if err != nil {
		return nil, err
	}
	loc, err := discover(from, env)
	if err != nil {
		return nil, err
	}
	if err := checkSafety(loc, env); err != nil {
		return nil, err
	}
	format, err := readFormat(loc)
	if err == nil {
		err = format.checkBackend(env)
	}
	if err != nil {
		return nil, err
	}
	if err := loc.settleTop(format, from, env); err != nil {
		return nil, err
	}
	r := &Repo{loc: loc, format: format, env: env, limit: o.Timeout}
	r.alone.standing = true
	if err := r.connect(ctx); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func startFolder(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	switch {
	case err == nil && isFolder(abs):
		return abs, nil
	case errors.Is(err, fs.ErrPermission):
		return "", &Error{Fault: Denied, Proof: "the operating system does not let the folder be entered", Err: bareCause(err)}
	}
	return "", &Error{Fault: NoRepository, Proof: "the folder is not there", Err: bareCause(err)}
}

// connect chooses what answers for objects and refs. Configuration, HEAD and the
// git binary are looked at when an answer needs them: a pointer to a file needs
// none of them.
func (r *Repo) connect(ctx context.Context) error {
	r.refs = &pinnedRefs{refSource: r.ownRefs()}
	if len(r.format.foreign) > 0 {
		if err := r.handOver(ctx); err != nil {
			return err
		}
	}
	if r.objects == nil {
		s, err := openStore(storeConfig{
			hashSize:   r.format.hashSize,
			objectDir:  r.objectDir(),
			alternates: r.alternates(),
			promisor:   r.format.promisor,
		})
		if err != nil {
			return err
		}
		r.objects = s
	}
	return nil
}

// handOver lets the git binary answer for what is not read natively, after it
// has shown that it accepts the repository.
func (r *Repo) handOver(ctx context.Context) error {
	git := r.binary()
	if git == nil {
		return &Error{Fault: Unsupported, Subject: strings.Join(r.format.foreign, ", "), Proof: "the repository uses an extension that only an installed git can read, and none is installed"}
	}
	if err := r.acceptedBy(ctx, git); err != nil {
		return err
	}
	r.objects = newGitObjects(r)
	r.refs = &pinnedRefs{refSource: &gitRefs{git: git}}
	return nil
}

// acceptedBy proves that git reads the repository at all: one that refuses it
// answers every question as one that finds nothing.
func (r *Repo) acceptedBy(ctx context.Context, git *gitBinary) error {
	err := git.accepts(ctx)
	if _, refused := errors.AsType[*gitFailure](err); !refused {
		return err
	}
	e := &Error{Fault: Unsupported, Subject: r.format.extensions(), Proof: "the repository uses an extension that the installed git refuses", Err: err}
	if e.Subject == "" {
		e.Subject, e.Proof = "git", "the installed git refuses the repository"
	}
	return e
}

// ownRefs reads refs from the repository's files.
func (r *Repo) ownRefs() refSource {
	files := &fileRefs{gitDir: r.loc.gitDir, commonDir: r.loc.commonDir, hashSize: r.format.hashSize}
	if r.format.reftable() {
		return &reftableRefs{files: files}
	}
	return files
}

func (r *Repo) objectDir() string {
	if named := r.env.get("GIT_OBJECT_DIRECTORY"); named != "" {
		return absolute(r.loc.cwd, named)
	}
	return filepath.Join(r.loc.commonDir, "objects")
}

func (r *Repo) alternates() []string {
	var dirs []string
	for _, name := range splitPathList(r.env.get("GIT_ALTERNATE_OBJECT_DIRECTORIES")) {
		dirs = append(dirs, absolute(r.loc.cwd, name))
	}
	return dirs
}

// settings returns the configuration in force.
func (r *Repo) settings() (*config, error) { return r.config.get(r.loadConfig) }

// binary returns the installed git, nil when there is none.
func (r *Repo) binary() *gitBinary {
	git, _ := r.git.get(func() (*gitBinary, error) { return newGitBinary(r, r.limit), nil })
	return git
}

// loadConfig reads every configuration file in git's order. A condition on
// remote URLs needs those URLs first.
func (r *Repo) loadConfig() (*config, error) {
	reader := r.configReader(nil)
	if err := r.readConfigs(reader); err != nil {
		return nil, err
	}
	if reader.asksURL {
		second := r.configReader(remoteURLs(reader.out))
		if err := r.readConfigs(second); err != nil {
			return nil, err
		}
		reader = second
	}
	return &config{vars: reader.out}, nil
}

func (r *Repo) configReader(urls []string) *configReader {
	return &configReader{
		env: r.env, urls: urls,
		gitDirs: []string{r.loc.gitDir, r.loc.spelledDir(r.env)},
		branch:  r.currentBranch,
	}
}

func (r *Repo) readConfigs(reader *configReader) error {
	if err := reader.userFiles(); err != nil {
		return err
	}
	if err := r.ownConfigs(reader); err != nil {
		return err
	}
	return reader.environmentVars()
}

// ownConfigs reads the files that belong to the repository.
func (r *Repo) ownConfigs(reader *configReader) error {
	reader.own = true
	defer func() { reader.own = false }()
	if err := reader.file(filepath.Join(r.loc.commonDir, "config"), false); err != nil {
		return err
	}
	if !r.format.worktreeConfig {
		return nil
	}
	return reader.file(filepath.Join(r.loc.gitDir, "config.worktree"), false)
}

// currentBranch is the short name of the branch HEAD points to, born or not.
func (r *Repo) currentBranch() string {
	t, _ := followRef(r.refs, "HEAD")
	return branchName(t.symref)
}

// Leave ends the processes that answer for the Repo, and leaves what it holds open to
// the end of this process, which must be near: taking memory maps back one by one
// interrupts every processor that runs it. No call may be under way.
func (r *Repo) Leave() error {
	if o, ok := r.objects.(*gitObjects); ok {
		return o.close()
	}
	return nil
}

// Close releases what the Repo holds open. No call may be under way.
func (r *Repo) Close() error {
	if r.refs != nil {
		r.refs.close()
	}
	var errs []error
	if past, err, made := r.past.peek(); made && err == nil {
		errs = append(errs, past.close())
	}
	if x, err, made := r.index.peek(); made && err == nil {
		x.close()
	}
	if r.objects != nil {
		errs = append(errs, r.objects.close())
	}
	return errors.Join(errs...)
}

// Top is the absolute path of the worktree's top folder, links resolved; "" for
// a repository without a worktree.
func (r *Repo) Top() string { return r.loc.top }

// GitDir is the absolute path of the git folder, links resolved; of a linked
// worktree its own.
func (r *Repo) GitDir() string { return r.loc.gitDir }

// CoreFileMode reports whether the executable bit of worktree files counts
// (core.fileMode, true by default; a value that is no boolean counts as unset).
func (r *Repo) CoreFileMode() (bool, error) {
	config, err := r.settings()
	if err != nil {
		return false, err
	}
	return config.fileMode(), nil
}

// HashSize is the length in bytes of an object id of the repository.
func (r *Repo) HashSize() int { return r.format.hashSize }

// BlobOID is git's id of a blob with these bytes, of the repository's object
// format.
func (r *Repo) BlobOID(data []byte) OID { return BlobOID(data, r.format.hashSize) }

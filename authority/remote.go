package authority

import (
	"context"
	"errors"
	"strings"

	"ctxptr/gitref"
)

var remoteKind = &Kind{
	Name:    "remote",
	Summary: "a ref as another repository advertises it now",
	Example: "origin refs/heads/main",
	Doc: `The locator is a URL, or the name of a configured remote, a space, and a full ref
name; it is split at the last space. One git ls-remote asks, outside of any
repository and with the user's own credentials, and only with --network. The
protocols are file, git, http, https and ssh; a URL with a password is
malformed:locator and its password is never repeated. Identity gitCommit is what
the ref names through any tags, gitTag an annotated tag's own id. reachable_from
needs the commit in the root's own repository.`,
	Tags:    []Tag{GitCommit, GitTag},
	Rules:   []string{"reachable_from"},
	Default: GitCommit,
	parse:   parseRemote,
}

type remoteTarget struct{ where, ref string }

func parseRemote(text string) (target, error) {
	i := strings.LastIndexByte(text, ' ')
	if i < 0 {
		return nil, malformedAt(MalformedLocator, len(text), "a remote locator is a URL or a remote's name, a space, and a full ref name")
	}
	t := remoteTarget{text[:i], text[i+1:]}
	if _, err := gitref.ParseRemoteURL(t.where); err != nil {
		f := gitFault(err)
		f.Offset = 0
		return nil, f
	}
	if err := CheckRefName(t.ref); err != nil {
		return nil, shifted(err, i+1)
	}
	return t, nil
}

func (remoteTarget) fixed() bool { return false }

func (t remoteTarget) observe(ctx context.Context, w *Workspace, _ string) (*Observation, error) {
	if !w.config.Network {
		f := fault(MissingNetwork, "another repository is asked only where that is allowed (--network)")
		f.Flags = []string{"--network"}
		return nil, f
	}
	url, err := t.url(ctx, w)
	if err != nil {
		return nil, err
	}
	ref, err := gitref.ListRemote(ctx, gitref.Options{Getenv: w.config.Getenv}, url, t.ref)
	if err != nil {
		return nil, gitFault(err)
	}
	o := &Observation{
		Layer: LayerRemote, Path: t.ref, Commit: ref.Peeled.String(),
		known:   []Identity{gitIdentity(GitCommit, ref.Peeled)},
		noBytes: fault(MissingAuthority, "%s is no annotated tag there", Quote(t.ref)),
	}
	if ref.OID != ref.Peeled {
		o.Object = ref.OID.String()
		o.known = append(o.known, gitIdentity(GitTag, ref.OID))
	}
	return o, nil
}

// url finds what is to be asked. Without a repository there are no remotes with
// a name, and a URL is still a URL.
func (t remoteTarget) url(ctx context.Context, w *Workspace) (gitref.RemoteURL, error) {
	repo, err := w.repository(ctx)
	if f, ok := errors.AsType[*Fault](err); ok && f.Code == MissingRepository && strings.Contains(t.where, ":") {
		url, err := gitref.ParseRemoteURL(t.where)
		if err != nil {
			return url, gitFault(err)
		}
		return url, nil
	}
	if err != nil {
		return gitref.RemoteURL{}, err
	}
	url, err := repo.Remote(t.where)
	if err != nil {
		return url, gitFault(err)
	}
	return url, nil
}

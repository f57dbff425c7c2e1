package gitref

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// RemoteRef is one ref as another repository advertises it.
type RemoteRef struct {
	OID    OID
	Peeled OID // an annotated tag followed to what it names at last, else OID
}

// remotePassedOn are the variables that reach the git which asks another
// repository: the user's own configuration, credentials, ssh and proxies.
var remotePassedOn = [...]string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR",
	"SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "HOMEDRIVE", "HOMEPATH",
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_PARAMETERS",
	"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_EXEC_PATH",
	"GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_SSL_NO_VERIFY", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"SSH_AUTH_SOCK", "SSH_AGENT_PID", "GNUPGHOME", "DBUS_SESSION_BUS_ADDRESS",
	"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
}

// ListRemote asks another repository, through one git ls-remote, what it
// advertises under the full name of a ref. No repository's configuration is
// read, no terminal is there to ask on, and the protocols are those of
// RemoteURL. Errors: NoRef when it advertises no such ref, Unreachable when it
// could not be asked, OverLimit when it did not answer in time, Unsupported
// without an installed git, BadRevision for what is no ref name.
func ListRemote(ctx context.Context, o Options, url RemoteURL, name string) (RemoteRef, error) {
	if err := alive(ctx); err != nil {
		return RemoteRef{}, err
	}
	if !ValidRefName(name) || !fullRefName(name) {
		return RemoteRef{}, &Error{Fault: BadRevision, Subject: name, Proof: "this is no full ref name"}
	}
	git, err := newRemoteGit(o, url)
	if err != nil {
		return RemoteRef{}, err
	}
	out, err := git.run(ctx, git.dir, maxShortOutput, gitLsRemote, "--", url.text, name, name+"^{}")
	if _, failed := errors.AsType[*gitFailure](err); failed {
		return RemoteRef{}, &Error{Fault: Unreachable, Subject: name, Proof: "the other repository could not be reached, or refused to answer", Err: err}
	}
	if err != nil {
		return RemoteRef{}, err
	}
	return parseAdvertised(string(out), name)
}

// newRemoteGit prepares git to run outside of any repository: GIT_DIR names what
// cannot be one.
func newRemoteGit(o Options, url RemoteURL) (*gitBinary, error) {
	env := newEnvironment(o.Getenv)
	g := &gitBinary{path: env.gitPath(), timeout: o.Timeout, session: true}
	if g.path == "" {
		return nil, &Error{Fault: Unsupported, Subject: "git", Proof: "another repository is asked through an installed git, and none is installed"}
	}
	if g.timeout <= 0 {
		g.timeout = defaultTimeout
	}
	g.dir = filepath.VolumeName(g.path) + string(filepath.Separator)
	for _, name := range remotePassedOn {
		if v := env.get(name); v != "" {
			g.env = append(g.env, name+"="+v)
		}
	}
	n, err := countedConfig(env)
	if err != nil {
		return nil, err
	}
	g.env = append(g.env, countedEnv(env)...)
	if url.exact {
		// The longest prefix wins: the whole URL, which stands for itself.
		at := strconv.Itoa(n)
		g.env = append(g.env, "GIT_CONFIG_KEY_"+at+"=url."+url.text+".insteadOf", "GIT_CONFIG_VALUE_"+at+"="+url.text)
		n++
	}
	g.env = append(g.env, "GIT_CONFIG_COUNT="+strconv.Itoa(n), "GIT_DIR="+os.DevNull,
		"LC_ALL=C", "GIT_ALLOW_PROTOCOL="+allowedProtocols, "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat")
	return g, nil
}

// parseAdvertised reads lines "<id> TAB <name>". git also lists refs whose name
// ends as the one asked for: only the exact name counts.
func parseAdvertised(out, name string) (RemoteRef, error) {
	found := map[string]OID{}
	for line := range strings.Lines(out) {
		hex, listed, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		id, err := ParseOID(hex)
		if !ok || err != nil || id.IsZero() {
			return RemoteRef{}, &Error{Fault: Unreachable, Subject: name, Proof: "the other repository's answer is no list of refs"}
		}
		if listed != name && listed != name+"^{}" {
			continue
		}
		if before, twice := found[listed]; twice && before != id {
			return RemoteRef{}, &Error{Fault: Unreachable, Subject: name, Proof: "the other repository advertises the ref twice, with two values"}
		}
		found[listed] = id
	}
	id, ok := found[name]
	if !ok {
		return RemoteRef{}, &Error{Fault: NoRef, Subject: name, Proof: "the other repository advertises no ref of this name"}
	}
	ref := RemoteRef{OID: id, Peeled: id}
	if peeled, isTag := found[name+"^{}"]; isTag {
		ref.Peeled = peeled
	}
	return ref, nil
}

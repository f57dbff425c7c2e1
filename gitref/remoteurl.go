package gitref

import (
	"path/filepath"
	"slices"
	"strings"
)

// remoteSchemes are the protocols that another repository may be asked over.
// What needs a helper program of its own is not among them.
var remoteSchemes = [...]string{"file", "git", "git+ssh", "http", "https", "ssh", "ssh+git"}

// allowedProtocols says the same to git (GIT_ALLOW_PROTOCOL).
const allowedProtocols = "file:git:http:https:ssh"

// RemoteURL is where another repository is: a URL, the scp form of one, or a
// path (git-ls-remote(1), "GIT URLS"). It holds no password, begins with no
// dash and names no helper program.
type RemoteURL struct {
	text  string
	exact bool // the user's own url.<base>.insteadOf has had its say
}

// ParseRemoteURL checks text that is to name another repository. The error is
// BadURL and does not repeat the text.
func ParseRemoteURL(text string) (RemoteURL, error) {
	if proof := badURL(text); proof != "" {
		return RemoteURL{}, &Error{Fault: BadURL, Proof: proof}
	}
	return RemoteURL{text: text}, nil
}

// badURL says why text names no repository that may be asked, "" when it does.
func badURL(text string) string {
	if text == "" || strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }) >= 0 {
		return "a URL is not empty and holds no control characters"
	}
	scheme, authority, isURL := cutScheme(text)
	user, host := "", text
	switch {
	case isURL && !slices.Contains(remoteSchemes[:], scheme):
		return "the URL's protocol is none of " + strings.Join(remoteSchemes[:], " ")
	case isURL:
		user, host = cutUser(authority)
	case strings.Contains(strings.NewReplacer("%3a", ":", "%3A", ":", "%2f", "/", "%2F", "/").Replace(text), "://"):
		return "the URL's scheme is percent-encoded"
	case isHelper(text):
		return "the URL names a helper program, which is never run"
	case !isLocalPath(text):
		_, host = cutUser(text)
	}
	if strings.HasPrefix(text, "-") || strings.HasPrefix(host, "-") {
		return "the URL, or its host, begins with '-' and would be taken for an option"
	}
	if strings.Contains(user, ":") {
		return "the URL holds a password; let a credential helper supply it"
	}
	return ""
}

// cutScheme splits "scheme://authority/…". For ssh git decodes the authority
// before it looks for a user, so that an encoded separator is one.
func cutScheme(text string) (scheme, authority string, ok bool) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || strings.ContainsAny(scheme, ":/@") {
		return "", "", false
	}
	authority, _, _ = strings.Cut(rest, "/")
	return scheme, strings.NewReplacer("%40", "@", "%3a", ":", "%3A", ":", "%2d", "-", "%2D", "-").Replace(authority), true
}

// cutUser splits "user@host", or "user:password@host".
func cutUser(authority string) (user, host string) {
	i := strings.LastIndexByte(authority, '@')
	return authority[:max(i, 0)], authority[i+1:]
}

// isHelper tells "helper::address", for which git would run git-remote-helper.
func isHelper(text string) bool {
	name, _, found := strings.Cut(text, "::")
	return found && strings.IndexFunc(name, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '+' && c != '-' && c != '.'
	}) < 0
}

// isLocalPath tells a path from the scp form "host:path": no colon before the
// first slash.
func isLocalPath(text string) bool {
	if filepath.IsAbs(text) {
		return true
	}
	colon, slash := strings.IndexByte(text, ':'), strings.IndexByte(text, '/')
	return colon < 0 || slash >= 0 && slash < colon
}

// Remote finds what git ls-remote would ask for the text: the first URL of
// the remote of that name, or the text itself, as url.<base>.insteadOf rewrites
// it. A path that is not absolute is below the worktree's top. Of rewriting,
// only what the repository's own files say is done here; git does what the
// user's own files say, which may hold credentials. Errors: NoRef for a plain
// name that no remote has, and BadURL, which names the remote and no URL.
func (r *Repo) Remote(text string) (RemoteURL, error) {
	config, err := r.settings()
	if err != nil {
		return RemoteURL{}, err
	}
	url, named := config.remoteNamed(text)
	if !named {
		if url = text; !strings.ContainsAny(text, ":/") {
			return RemoteURL{}, &Error{Fault: NoRef, Subject: text, Proof: "no remote of this name is configured"}
		}
	}
	exact := false
	if base, cut, own := config.insteadOf(url); own {
		url, exact = base+url[cut:], true
	}
	if proof := badURL(url); proof != "" {
		if named {
			text = "remote " + text
		} else {
			text = "url"
		}
		return RemoteURL{}, &Error{Fault: BadURL, Subject: text, Proof: proof}
	}
	if _, _, isURL := cutScheme(url); !isURL && isLocalPath(url) && !strings.HasPrefix(url, "~") {
		url = absolute(r.loc.cwd, url)
	}
	return RemoteURL{text: url, exact: exact}, nil
}

// RemoteURLs are the URLs that the configuration gives a remote, first as
// written and then as url.<base>.insteadOf rewrites them. They may hold
// credentials.
func (r *Repo) RemoteURLs(name string) ([]string, error) {
	config, err := r.settings()
	if err != nil {
		return nil, err
	}
	url, named := config.remoteNamed(name)
	if !named {
		return nil, nil
	}
	urls := []string{url}
	if base, cut, _ := config.insteadOf(url); cut >= 0 {
		urls = append(urls, base+url[cut:])
	}
	return urls, nil
}

func (c *config) remoteNamed(name string) (url string, found bool) {
	key := "remote." + name + ".url"
	for _, v := range c.vars {
		if v.key == key && !v.implicit {
			return v.value, true
		}
	}
	return "", false
}

// insteadOf finds the rule that rewrites url: the longest prefix; of equal ones
// that of the base named first. cut is the prefix's length, -1 without a rule;
// own says that the rule stands in the repository's own files.
func (c *config) insteadOf(url string) (base string, cut int, own bool) {
	cut = -1
	rank := 0
	order := map[string]int{}
	for _, v := range c.vars {
		name, ok := strings.CutPrefix(v.key, "url.")
		name, rewrites := strings.CutSuffix(name, ".insteadof")
		if !ok || !rewrites || v.implicit {
			continue
		}
		if _, known := order[name]; !known {
			order[name] = len(order)
		}
		if !strings.HasPrefix(url, v.value) || len(v.value) < cut || len(v.value) == cut && order[name] >= rank {
			continue
		}
		base, cut, own, rank = name, len(v.value), v.own, order[name]
	}
	return base, cut, own
}

// RepositoryOf is the host/owner/repo that a URL or its scp form names, as a web
// address of the repository has it: the host in lower case, without user, ".git"
// and the port of ssh; "" where it names none.
func RepositoryOf(url string) string {
	scheme, authority, isURL := cutScheme(url)
	var host, path string
	switch {
	case isURL && scheme != "file":
		_, host = cutUser(authority)
		_, rest, _ := strings.Cut(url, "://")
		_, path, _ = strings.Cut(rest, "/")
		if port := strings.LastIndexByte(host, ':'); port >= 0 && scheme != "http" && scheme != "https" {
			host = host[:port]
		}
	case !isURL && !isLocalPath(url) && !isHelper(url):
		host, path, _ = strings.Cut(url, ":")
		_, host = cutUser(host)
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if host == "" || path == "" {
		return ""
	}
	return strings.ToLower(host) + "/" + path
}

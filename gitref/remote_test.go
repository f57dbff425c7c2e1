package gitref

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// remoteRepo is a repository to be asked: a branch, an annotated tag, and refs
// whose names end as others do.
func remoteRepo(t *testing.T) *testGit {
	t.Helper()
	g := newTestGit(t)
	g.write("f", "1\n")
	g.commit("one")
	g.run("tag", "-a", "-m", "t", "v1")
	g.run("tag", "-a", "-m", "t", "v2", "v1")
	g.write("f", "2\n")
	g.commit("two")
	g.run("update-ref", "refs/x/refs/heads/only", "HEAD~1")
	return g
}

// ask lists a ref with the environment of the git commands the test runs.
func (g *testGit) ask(ctx context.Context, url RemoteURL, name string, env ...string) (RemoteRef, error) {
	g.t.Helper()
	vars := map[string]string{}
	for _, v := range append(g.command().Env, env...) {
		key, value, _ := strings.Cut(v, "=")
		vars[key] = value
	}
	return ListRemote(ctx, Options{Getenv: func(name string) string { return vars[name] }}, url, name)
}

func mustURL(t testing.TB, text string) RemoteURL {
	t.Helper()
	url, err := ParseRemoteURL(text)
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// serveHTTP serves the repository by git http-backend on loopback.
func (g *testGit) serveHTTP() *httptest.Server {
	g.t.Helper()
	server := httptest.NewServer(&cgi.Handler{
		Path: filepath.Join(g.run("--exec-path"), "git-http-backend"),
		Env:  append(g.command().Env, "GIT_PROJECT_ROOT="+g.dir, "GIT_HTTP_EXPORT_ALL=1"),
	})
	g.t.Cleanup(server.Close)
	return server
}

// TestListRemoteEqualsGit asks over a file, a path and HTTP, and compares with
// what is there.
func TestListRemoteEqualsGit(t *testing.T) {
	g := remoteRepo(t)
	for _, url := range []string{"file://" + g.dir, g.dir, g.serveHTTP().URL + "/.git"} {
		for name, want := range map[string]string{
			"HEAD": "HEAD", "refs/heads/main": "main", "refs/tags/v1": "v1", "refs/tags/v2": "v2",
			"refs/heads/only": "", "refs/heads/mai": "", "refs/heads/none": "",
		} {
			ref, err := g.ask(t.Context(), mustURL(t, url), name)
			if want == "" {
				wantFault(t, err, NoRef)
				continue
			}
			if err != nil || ref != (RemoteRef{g.oid(want), g.oid(want + "^{}")}) {
				t.Errorf("%s %s: %v, %v", url, name, ref, err)
			}
		}
	}
}

// TestListRemoteOfManyRefs has the other side advertise megabytes.
func TestListRemoteOfManyRefs(t *testing.T) {
	g := remoteRepo(t)
	var refs strings.Builder
	refs.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	head := g.oid("HEAD")
	for i := range 40000 {
		fmt.Fprintf(&refs, "%s refs/heads/many/%s/%05d\n", head, strings.Repeat("x", 60), i)
	}
	g.write(".git/packed-refs", refs.String())
	ref, err := g.ask(t.Context(), mustURL(t, g.serveHTTP().URL+"/.git"), "refs/heads/main")
	if err != nil || ref.OID != g.oid("main") {
		t.Errorf("%v, %v", ref, err)
	}
}

// garble serves n bytes of garbage for every request, in the name of git.
func garble(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		for line := []byte(strings.Repeat("garbage ", 1<<13)); n > 0; n -= len(line) {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	}
}

// talker says the same to everyone who calls, and hangs up.
func talker(t *testing.T, text string) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, text)
			conn.Close()
		}
	}()
	return listener.Addr().String()
}

// TestListRemoteFails holds what is no answer.
func TestListRemoteFails(t *testing.T) {
	g := remoteRepo(t)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	garbage := httptest.NewServer(garble(8 << 20))
	defer garbage.Close()
	missing := httptest.NewServer(http.NotFoundHandler())
	defer missing.Close()
	secret := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer secret.Close()
	for _, c := range []struct{ name, url string }{
		{"nobody listens", closed.URL + "/r"},
		{"megabytes that are no list", garbage.URL + "/r"},
		{"no repository", missing.URL + "/r"},
		{"a password is asked for", secret.URL + "/r"},
		{"ssh fails", "ssh://git@host.invalid/r"},
		{"ssh fails, scp form", "git@host.invalid:r"},
		{"no folder", "file:///nonexistent/r"},
		{"no git protocol", "git://" + talker(t, "HTTP/1.1 400 Bad Request\r\n\r\n") + "/r"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := g.ask(t.Context(), mustURL(t, c.url), "refs/heads/main", "GIT_SSH_COMMAND=false")
			wantFault(t, err, Unreachable)
		})
	}
	_, err := g.ask(t.Context(), mustURL(t, g.dir), "main")
	wantFault(t, err, BadRevision)
	_, err = g.ask(t.Context(), mustURL(t, g.dir), "HEAD", "PATH=")
	wantFault(t, err, Unsupported)
}

// TestListRemoteEnds holds that a remote which says nothing, little by little or
// without end, is left at the limit, with every program that was started.
func TestListRemoteEnds(t *testing.T) {
	g := remoteRepo(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			fmt.Fprint(w, "0")
			http.NewResponseController(w).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}))
	defer slow.Close()
	endless := httptest.NewServer(garble(1 << 40))
	defer endless.Close()
	started := filepath.Join(t.TempDir(), "pid")
	g.write("hang", "#!/bin/sh\necho $$ > "+started+"\nexec sleep 600\n")
	chmod(t, filepath.Join(g.dir, "hang"), 0o777)
	for _, url := range []string{
		"git://" + silent.Addr().String() + "/r", "http://" + silent.Addr().String() + "/r",
		slow.URL + "/r", endless.URL + "/r", "host.invalid:r",
	} {
		t.Run(url[:5], func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
			defer cancel()
			_, err := g.ask(ctx, mustURL(t, url), "refs/heads/main", "GIT_SSH_COMMAND="+filepath.Join(g.dir, "hang"))
			wantFault(t, err, OverLimit)
		})
	}
	waitEnded(t, started)
}

// waitEnded waits until the process whose id a file holds is no more.
func waitEnded(t *testing.T, file string) {
	t.Helper()
	pid, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		if err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("process %s outlived the question", pid)
}

// TestBadURLs holds what is never passed to git, and that no error repeats it.
func TestBadURLs(t *testing.T) {
	for _, url := range []string{
		"", "-x", "--upload-pack=touch /tmp/x", "ssh://-oProxyCommand=x/r", "ssh://u@-oProxyCommand=x/r", "-host:r", "u@-host:r", "ssh://%2doProxyCommand=x/r",
		"ext::sh -c secret%", "ext::sh -c 'echo secret' x://y", "fd::17", "http::https://h/secret", "::secret",
		"https%3A%2F%2Fu:secret@h/r", "https%3a//u:secret@h/r", "ftp://h/secret", "HTTP://h/secret", "foo://h/secret",
		"https://u:secret@h/r", "https://:secret@h/r", "https://u:@h/r", "https://u:se#cret@h/r", "ssh://u:secret@h/r", "ssh://u:secret%40h/r", "https://u:se@cret@h/r", "file://u:secret@h/r",
		"https://h/\nsecret", "h\x00:r",
	} {
		_, err := ParseRemoteURL(url)
		wantFault(t, err, BadURL)
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error repeats it: %v", url, err)
		}
	}
	for _, url := range []string{
		"https://h/r", "https://u@h/r.git", "https://h:8443/a/b:c@d", "ssh://git@h:22/r", "git@h:a/b", "h:r", "/a/b:c", "../r", "a/b", "file:///r", "git://h/r", "/x::y", "https://[::1]:80/r",
	} {
		if _, err := ParseRemoteURL(url); err != nil {
			t.Errorf("%q: %v", url, err)
		}
	}
}

// TestRemoteURLEqualsGit compares with git ls-remote --get-url, through remotes,
// rewriting, and names that are none.
func TestRemoteURLEqualsGit(t *testing.T) {
	g := newTestGit(t)
	global := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(global, []byte("[url \"https://mirror.invalid/\"]\n\tinsteadOf = hub:\n\tinsteadOf = https://hub.invalid/deep/\n[remote \"upstream\"]\n\turl = hub:up/stream\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"remote.origin.url", "hub:o/r"}, {"remote.two.url", "https://first.invalid/r"}, {"--add", "remote.two.url", "https://second.invalid/r"},
		{"remote.a/b.url", "https://hub.invalid/x"}, {"remote.dot.ted.url", "h:r"},
		{"url.ssh://git@own.invalid/.insteadOf", "https://hub.invalid/"}, {"--add", "url.ssh://git@own.invalid/.insteadOf", "own:"},
		{"url.own:.insteadOf", "twice:"}, {"url.ssh://late.invalid/.insteadOf", "own:"}, {"remote.pushed.pushurl", "h:p"},
	} {
		g.run(append([]string{"config"}, args...)...)
	}
	env := []string{"GIT_CONFIG_GLOBAL=" + global}
	r := g.open(env...)
	g.env = env
	for _, text := range []string{
		"origin", "two", "a/b", "dot.ted", "upstream", "hub:x", "own:x", "twice:x", "https://hub.invalid/y", "https://hub.invalid/deep/y", "https://other.invalid/", "h:r", "/abs",
	} {
		url, err := r.Remote(text)
		if err != nil {
			t.Fatal(text, err)
		}
		// What the user's own files rewrite is left to the git that is asked.
		outside := &testGit{t: t, dir: t.TempDir(), env: []string{"GIT_CONFIG_GLOBAL=" + global}}
		remote, err := newRemoteGit(Options{Getenv: func(name string) string {
			return map[string]string{"PATH": os.Getenv("PATH"), "GIT_CONFIG_GLOBAL": global, "GIT_CONFIG_NOSYSTEM": "1"}[name]
		}}, url)
		if err != nil {
			t.Fatal(err)
		}
		outside.env = append(outside.env, remote.env...)
		if got, want := outside.run("ls-remote", "--get-url", url.text), g.run("ls-remote", "--get-url", text); got != want {
			t.Errorf("%s is %s, git says %s", text, got, want)
		}
	}
	for _, text := range []string{"none", "pushed", "Origin"} {
		_, err := r.Remote(text)
		wantFault(t, err, NoRef)
	}
	if url, err := r.Remote("../r"); err != nil || filepath.Clean(url.text) != filepath.Join(filepath.Dir(g.dir), "r") || !filepath.IsAbs(url.text) {
		t.Errorf("a path is %v, %v", url, err)
	}
}

// TestRemoteURLsOfHostileConfiguration holds that what a repository's own files
// name is checked like what a caller names, and is not repeated.
func TestRemoteURLsOfHostileConfiguration(t *testing.T) {
	g := newTestGit(t)
	for name, url := range map[string]string{"ext": "ext::sh -c secret", "pass": "https://u:secret@h/r", "dash": "-secret", "ftp": "ftp://secret/"} {
		g.run("config", "remote."+name+".url", url)
	}
	g.run("config", "url.ext::sh -c secret .insteadOf", "https://rewritten.invalid/")
	r := g.open()
	for _, text := range []string{"ext", "pass", "dash", "ftp", "https://rewritten.invalid/x"} {
		_, err := r.Remote(text)
		wantFault(t, err, BadURL)
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error repeats the URL: %v", text, err)
		}
	}
}

// TestRemoteNeverRunsAProgram plants programs in the asking repository's own
// configuration, and in the one that is asked.
func TestRemoteNeverRunsAProgram(t *testing.T) {
	other := remoteRepo(t)
	other.run("config", "uploadpack.packObjectsHook", "touch "+filepath.Join(other.dir, "ran"))
	other.run("config", "core.fsmonitor", "touch "+filepath.Join(other.dir, "ran"))
	g := newTestGit(t)
	ran := filepath.Join(g.dir, "ran")
	server := other.serveHTTP()
	for key, value := range map[string]string{
		"core.sshCommand": "touch " + ran, "core.gitProxy": "touch " + ran, "core.askPass": "touch " + ran, "core.fsmonitor": "touch " + ran,
		"credential.helper": "!touch " + ran, "remote.origin.uploadpack": "touch " + ran, "remote.origin.vcs": "ext",
		"remote.origin.url": "file://" + other.dir, "http.proxy": "http://127.0.0.1:1", "remote.http.url": server.URL + "/.git", "remote.ssh.url": "git@host.invalid:r",
	} {
		g.run("config", key, value)
	}
	t.Chdir(g.dir)
	r := g.open()
	for _, name := range []string{"origin", "http", "ssh"} {
		url, err := r.Remote(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.ask(t.Context(), url, "refs/heads/main", "GIT_SSH=false")
		if (err == nil) != (name != "ssh") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{ran, filepath.Join(other.dir, "ran")} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("a program that a repository's configuration names was run")
		}
	}
}

package authority

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dirEntriesByGit lists what counts in the whole folder by git ls-files and by
// looking at each path: path, type, and digest or commit id. It reports false
// where a nested repository has no commit.
func (g *testRepo) dirEntriesByGit() (entries [][3]string, ok bool) {
	g.t.Helper()
	noExec := strings.TrimSpace(g.run("config", "--type=bool", "--default", "true", "core.fileMode")) == "false"
	modes := map[string]string{}
	for line := range strings.SplitSeq(g.run("ls-files", "-s", "-z"), "\x00") {
		if head, path, found := strings.Cut(line, "\t"); found {
			modes[path] = strings.Fields(head)[0]
		}
	}
	names := strings.Split(g.run("ls-files", "-c", "-o", "--exclude-standard", "-z"), "\x00")
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, "/")
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		st, err := os.Lstat(g.path(name))
		if name == "" || filepath.Base(name) == "ctxptr.pins" || err != nil || g.throughLink(name) {
			continue
		}
		e := [3]string{name, "file", ""}
		switch {
		case st.IsDir():
			inner := &testRepo{t: g.t, dir: g.path(name)}
			head, err := inner.try(nil, "rev-parse", "--verify", "-q", "HEAD")
			top, _ := inner.try(nil, "rev-parse", "--show-toplevel")
			if strings.TrimSpace(top) != g.path(name) {
				continue // a folder where a file was tracked
			}
			if err != nil {
				return nil, false
			}
			e[1], e[2] = "repo", strings.TrimSpace(head)
		case st.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(g.path(name))
			if err != nil {
				g.t.Fatal(err)
			}
			e[1], e[2] = "symlink", BLAKE3Sum([]byte(target)).Hex()
		default:
			data, err := os.ReadFile(g.path(name))
			if err != nil {
				g.t.Fatal(err)
			}
			e[2] = BLAKE3Sum(data).Hex()
			if !noExec && st.Mode().Perm()&0o100 != 0 || noExec && modes[name] == "100755" {
				e[1] = "exec"
			}
		}
		entries = append(entries, e)
	}
	return entries, true
}

// throughLink reports whether a folder on the way to name is a symbolic link.
func (g *testRepo) throughLink(name string) bool {
	for i := range name {
		if name[i] != '/' {
			continue
		}
		if st, err := os.Lstat(g.path(name[:i])); err != nil || !st.IsDir() {
			return true
		}
	}
	return false
}

// TestDirAgainstGit edits repositories at random. After each edit the digest is
// that of what git lists as tracked or not ignored and of the bytes that lie there.
func TestDirAgainstGit(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e := &editor{testRepo: newTestRepo(t), rnd: rand.New(rand.NewPCG(seed, 22)), noCRLF: true}
			compared := 0
			for range 80 {
				if done := edits[e.rnd.IntN(len(edits))](e); done != "" {
					e.log = append(e.log, done)
				}
				want, ok := e.dirEntriesByGit()
				if !ok {
					continue
				}
				compared++
				got, err := e.identify("dir", ".")
				if f, ok := errors.AsType[*Fault](err); ok && f.Code == MissingSelection && len(want) == 0 {
					continue
				}
				text := []byte("ctxptr-dir-v1\n")
				for _, entry := range want {
					for _, field := range entry {
						text = fmt.Appendf(text, "%d:%s", len(field), field)
					}
				}
				if got != BLAKE3Sum(text) {
					t.Fatalf("got %s, %v, want %s of %q\n%s", got, err, BLAKE3Sum(text), want, strings.Join(e.log, "\n"))
				}
			}
			if compared < 50 {
				t.Errorf("only %d states were compared", compared)
			}
		})
	}
}

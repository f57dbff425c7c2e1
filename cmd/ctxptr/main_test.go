package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// update rewrites the expected output in the scripts with what was printed.
var update = flag.Bool("update", false, "rewrite the scripts' expected output")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ctxptr": func() { os.Exit(mainCode()) }})
}

// TestScripts runs the behaviour scripts under testdata/script.
func TestScripts(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "script")
	scripts, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts under %s (%v): a run of nothing proves nothing", dir, err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup:               setupScript,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"crlf":         cmdCRLF,
			"exits":        cmdExits,
			"mint":         cmdMint,
			"record":       cmdRecord,
			"records":      cmdRecords,
			"unterminated": cmdUnterminated,
		},
	})
}

// setupScript gives git one identity and one time, so that commit ids are the
// same everywhere.
func setupScript(env *testscript.Env) error {
	for _, pair := range [][2]string{
		{"HOME", env.WorkDir + "/home"},
		{"GIT_CONFIG_GLOBAL", os.DevNull},
		{"GIT_CONFIG_NOSYSTEM", "1"},
		{"GIT_DEFAULT_HASH", "sha1"}, {"GIT_DEFAULT_REF_FORMAT", "files"},
		{"GIT_AUTHOR_NAME", "A U Thor"}, {"GIT_AUTHOR_EMAIL", "author@example.com"},
		{"GIT_COMMITTER_NAME", "C O Mitter"}, {"GIT_COMMITTER_EMAIL", "committer@example.com"},
		{"GIT_AUTHOR_DATE", "2005-04-07T22:13:13Z"}, {"GIT_COMMITTER_DATE", "2005-04-07T22:13:13Z"},
		{"GIT_CEILING_DIRECTORIES", filepath.Dir(env.WorkDir)},
	} {
		env.Setenv(pair[0], pair[1])
	}
	return os.MkdirAll(env.WorkDir+"/home", 0o777)
}

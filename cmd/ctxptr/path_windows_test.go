package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWindowsPaths demands that path arguments take both separators and that what is
// printed has slashes alone.
func TestWindowsPaths(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "docs", "deep"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{`docs\deep\SPEC.md`: "# Spec\n\n- AC-1: one\n", `plan.md`: "plan\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := runWindows(t, dir, "mint", "docs/deep/SPEC.md#AC-1")
	if !strings.HasPrefix(want, "ctxptr:file:docs/deep/SPEC.md@") {
		t.Fatalf("mint printed %q", want)
	}
	for _, target := range []string{`docs\deep\SPEC.md#AC-1`, `.\docs\deep\SPEC.md#AC-1`, `docs\deep/SPEC.md#AC-1`, dir + `\docs\deep\SPEC.md#AC-1`} {
		if got := runWindows(t, dir, "mint", target); got != want {
			t.Errorf("mint %s printed %q, want %q", target, got, want)
		}
	}
	pointer := strings.TrimSpace(want)
	if err := os.WriteFile(filepath.Join(dir, "docs", "plan.md"), []byte("see "+pointer+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"resolve", "--at", `docs\plan.md:1`}, {"resolve", "--at", dir + `\docs\plan.md:1:5`},
		{"-C", `docs\deep`, "resolve", "--at", `..\plan.md:1`},
		{"resolve", "--from", `docs\plan.md`, strings.Replace(pointer, "docs/deep", "./deep", 1)},
	} {
		got := runWindows(t, dir, args...)
		if !strings.HasPrefix(got, "ok ") || strings.Contains(got, `\`) {
			t.Errorf("%q printed %q", args, got)
		}
	}
	backslash := strings.Replace(pointer, "docs/deep", "docs%5Cdeep", 1)
	if got := runWindows(t, dir, "resolve", backslash); !strings.HasPrefix(got, "BLOCKED ") {
		t.Errorf("a backslash in a pointer separates: %q", got)
	}
}

// runWindows runs a command line in a folder and returns its standard output.
func runWindows(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &out, err: &errs, dir: dir, getenv: func(string) string { return "" }, watch: func() {}}
	if code := a.run(t.Context(), append([]string{"--root", dir}, args...)); code > exitBlocked {
		t.Errorf("%q: exit %d: %s", args, code, errs.String())
	}
	return out.String()
}

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	projectyaml "ctxptr/authority/selector/yaml"
)

// readYAML parses a file of the project twice: strictly by its own parser, and into
// value by a library.
func readYAML(t *testing.T, name string, value any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repositoryRoot, name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := projectyaml.Parse(data, projectyaml.Limits{Depth: 100, Nodes: 10000}); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if err := yaml.Unmarshal(data, value); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

type actionFile struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			Shell, Run, Uses string
			Env              map[string]string
		}
	}
}

// TestActionTakesInputsThroughTheEnvironment demands that no expression stands in a
// program, and that every input reaches it.
func TestActionTakesInputsThroughTheEnvironment(t *testing.T) {
	var action actionFile
	readYAML(t, "action.yml", &action)
	if action.Runs.Using != "composite" || len(action.Runs.Steps) == 0 || len(action.Inputs) == 0 {
		t.Fatalf("action.yml holds %+v", action)
	}
	var passed []string
	for _, step := range action.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("an expression stands in the program %q", step.Run)
		}
		if step.Run != "" && step.Shell == "" {
			t.Errorf("a program has no shell: %q", step.Run)
		}
		for name, value := range step.Env {
			if input, ok := strings.CutPrefix(value, "${{ inputs."); ok {
				input = strings.TrimSuffix(input, " }}")
				passed = append(passed, input)
				if name != "INPUT_"+strings.ToUpper(input) {
					t.Errorf("the input %s is passed as %s", input, name)
				}
			}
		}
	}
	for name, input := range action.Inputs {
		if !slices.Contains(passed, name) || input.Description == "" {
			t.Errorf("the input %s is not passed or not described", name)
		}
	}
	if len(passed) != len(action.Inputs) {
		t.Errorf("passed are %q", passed)
	}
	script, err := os.ReadFile(filepath.Join(repositoryRoot, "scripts", "action"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range passed {
		if !regexp.MustCompile(`\$\{INPUT_` + strings.ToUpper(name) + `\b`).Match(script) {
			t.Errorf("scripts/action does not read the input %s", name)
		}
	}
}

func TestHooksPassNoFilenames(t *testing.T) {
	var hooks []map[string]any
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 1 || hooks[0]["pass_filenames"] != false || hooks[0]["always_run"] != true ||
		!strings.HasPrefix(hooks[0]["entry"].(string), "ctxptr check --staged") {
		t.Errorf("the hooks are %v", hooks)
	}
}

func TestGitLabTemplate(t *testing.T) {
	var jobs map[string]struct {
		Script    []string
		Variables map[string]string
		Artifacts struct{ Reports map[string]string }
	}
	readYAML(t, filepath.Join("scripts", "gitlab-ci.yml"), &jobs)
	job := jobs[".ctxptr"]
	if _, file, _ := strings.Cut(job.Variables["CTXPTR_REPORT"], ":"); file == "" || job.Artifacts.Reports["codequality"] != file || len(job.Script) == 0 {
		t.Errorf("the template holds %+v", jobs)
	}
}

// TestActionRuns runs what action.yml runs on a pull request's checkout.
func TestActionRuns(t *testing.T) {
	f := newForge(t)
	f.pull(1, func() { f.write("SPEC.md", strings.Replace(specification, "one", "ONE", 1)) })
	for name, c := range map[string]struct {
		env  []string
		code int
		says string
	}{
		"pull request": {nil, 1, "::error file=SPEC.md,line=3"},
		"built":        {[]string{"INPUT_PROGRAM=", "RUNNER_TEMP=" + t.TempDir()}, 1, "::error file=SPEC.md,line=3"},
		"text":         {[]string{"INPUT_FORMAT=text"}, 1, "plan.md:1:5: BLOCKED"},
		"paths":        {[]string{"INPUT_PATHS=--exclude\nplan.md\n--allow-none\n"}, 0, ""},
		"no command":   {[]string{"INPUT_PATHS=$(touch pwned)\n`touch pwned`; touch pwned"}, 1, "no file stands at"},
		"hostile base": {[]string{"INPUT_BASE=x\";touch pwned;\""}, 2, "cannot be fetched"},
	} {
		t.Run(name, func(t *testing.T) {
			f.t = t
			dir, output := f.checkout("refs/pull/1/merge"), filepath.Join(t.TempDir(), "output")
			env := append(append(append([]string{}, github...), "INPUT_PROGRAM=ctxptr", "INPUT_DIRECTORY="+dir, "GITHUB_OUTPUT="+output), c.env...)
			got := f.run("action", []string{"bash"}, f.work, env)
			f.expect(got, c.code, c.says)
			said, err := os.ReadFile(output)
			if want := "code=" + string(rune('0'+c.code)) + "\n"; err != nil || string(said) != want {
				t.Errorf("the output is %q, want %q (%v)", said, want, err)
			}
			for _, folder := range []string{dir, f.work} {
				if _, err := os.Lstat(filepath.Join(folder, "pwned")); err == nil {
					t.Error("an input ran as a program")
				}
			}
		})
	}
}

// TestSkillIsShort holds the skill to one screen that names every outcome.
func TestSkillIsShort(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repositoryRoot, "scripts", "skill", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if lines := strings.Count(text, "\n"); lines > 45 {
		t.Errorf("the skill has %d lines", lines)
	}
	for _, e := range exits {
		// resolve never ends cold, and nobody reads on after an interrupt.
		if e.Code != exitCold && e.Code != exitInterrupted && !strings.Contains(text, "\n| "+string(rune('0'+e.Code))+" | ") {
			t.Errorf("the skill does not say what to do on exit %d", e.Code)
		}
	}
	for _, script := range regexp.MustCompile(`scripts/[a-z-]+`).FindAllString(text, -1) {
		if _, err := os.Stat(filepath.Join(repositoryRoot, script)); err != nil {
			t.Error(err)
		}
	}
}

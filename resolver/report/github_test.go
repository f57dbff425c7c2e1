package report

import (
	"strconv"
	"strings"
	"testing"
)

// command is a workflow command as the runner of GitHub Actions understands it.
type command struct {
	name, data string
	properties map[string]string
}

// registered are the commands that a runner carries out.
var registered = []string{
	"add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice", "remove-matcher",
	"save-state", "set-env", "set-output", "stop-commands", "warning", "internal-set-repo-path",
}

// run reads a log as the runner does: what it carries out, and the lines that it
// shows. It ends a line at CR, LF or both.
func run(log string) (done []command, shown []string) {
	token := ""
	for line := range strings.SplitSeq(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(log), "\n") {
		known := registered
		if token != "" {
			known = []string{token}
		}
		c, ok := parseCommand(line, known)
		switch {
		case !ok:
			shown = append(shown, line)
		case token != "":
			token = ""
			done = append(done, command{name: "resume"})
		default:
			if c.name == "stop-commands" {
				token = c.data
			}
			done = append(done, c)
		}
	}
	return done, shown
}

func parseCommand(line string, known []string) (command, bool) {
	if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "::"); ok {
		if head, data, ok := strings.Cut(rest, "::"); ok {
			if c, ok := commandHead(head, ",", known); ok {
				c.data = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(data)
				return c, true
			}
		}
	}
	if _, rest, ok := strings.Cut(line, "##["); ok { // the old form, anywhere in a line
		if head, data, ok := strings.Cut(rest, "]"); ok {
			c, ok := commandHead(head, ";", known)
			c.data = data
			return c, ok
		}
	}
	return command{}, false
}

func commandHead(head, separator string, known []string) (command, bool) {
	name, properties, _ := strings.Cut(head, " ")
	for _, k := range known {
		if !strings.EqualFold(k, name) {
			continue
		}
		c := command{name: k, properties: map[string]string{}}
		for p := range strings.SplitSeq(properties, separator) {
			if key, value, ok := strings.Cut(strings.TrimSpace(p), "="); ok {
				c.properties[key] = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(value)
			}
		}
		return c, true
	}
	return command{}, false
}

// checkGitHub runs the log and demands exactly the commands of the report, and in
// the log all of its text.
func checkGitHub(t *testing.T, r Report, log string) {
	t.Helper()
	done, shown := run(log)
	if len(done) < 4 || done[0].name != "group" || done[1].name != "stop-commands" || done[2].name != "resume" || done[3].name != "endgroup" {
		t.Fatalf("the log does not begin with its guarded group: %q", done)
	}
	counts := map[string]int{}
	for _, c := range done[4:] {
		counts[c.name]++
		checkAnnotation(t, c)
	}
	if counts["error"]+counts["warning"]+counts["notice"] != len(done)-4 {
		t.Errorf("the log holds other commands than annotations: %v", counts)
	}
	for name, n := range counts {
		if n > mostAnnotations {
			t.Errorf("%d annotations of level %s", n, name)
		}
	}
	want := r.clean().whole()
	if got := strings.Join(shown, "\n"); got != want {
		t.Errorf("the log shows another text: %d bytes, want %d", len(got), len(want))
	}
}

func checkAnnotation(t *testing.T, c command) {
	t.Helper()
	for key, value := range c.properties {
		switch key {
		case "file", "title":
			if value != Printable(value) {
				t.Errorf("%s is not printable: %q", key, value)
			}
		case "line", "endLine", "col":
			if n, err := strconv.Atoi(value); err != nil || n < 1 {
				t.Errorf("%s is %q", key, value)
			}
		default:
			t.Errorf("an annotation has the property %q", key)
		}
	}
	if len(c.data) > 64<<10 {
		t.Errorf("an annotation of %d bytes: GitHub keeps 64 KiB", len(c.data))
	}
}

// TestRunnerIsUnderstood holds the reader above against known lines.
func TestRunnerIsUnderstood(t *testing.T) {
	done, shown := run("a\n  ::error file=a%2Cb,line=3::x%0Ay\n::nope::\nb ##[warning]z\n::stop-commands::t\n::error::\n##[error]\n::t::\n::debug::d")
	want := []string{"error", "warning", "stop-commands", "resume", "debug"}
	var names []string
	for _, c := range done {
		names = append(names, c.name)
	}
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("done %q, want %q", names, want)
	}
	if done[0].data != "x\ny" || done[0].properties["file"] != "a,b" || done[0].properties["line"] != "3" {
		t.Errorf("read %+v", done[0])
	}
	if strings.Join(shown, "|") != "a|::nope::|::error::|##[error]" {
		t.Errorf("shown %q", shown)
	}
}

func TestGitHubSaysWhereAndWhat(t *testing.T) {
	done, _ := run(string(render(t, "github", sample())))
	first := done[4]
	if first.name != "error" || first.properties["file"] != "plans/p1.md" || first.properties["line"] != "12" ||
		first.properties["title"] != "stale:identity docs/SPEC.md#item=AC-010" {
		t.Errorf("the first annotation is %+v", first)
	}
	if file := done[8].properties["file"]; file != "notes, 100%: a b.md" {
		t.Errorf("a path with separators is %q", file)
	}
}

// TestGitHubKeepsTen demands ten annotations at most, the last of which says how
// many there are beyond.
func TestGitHubKeepsTen(t *testing.T) {
	for _, n := range []int{9, 10, 11, 5000} {
		done, _ := run(string(render(t, "github", many(n))))
		last := done[len(done)-1]
		if got, want := len(done)-4, min(n, mostAnnotations); got != want {
			t.Errorf("%d annotations of %d findings, want %d", got, n, want)
		}
		more := n - mostAnnotations + 1
		if says := last.properties["title"] == strconv.Itoa(more)+" more"; says != (n > mostAnnotations) {
			t.Errorf("of %d findings the last annotation is %+v", n, last)
		}
	}
}

// TestGuardFollowsTheText demands another token for another text, also for one that
// holds the token of what stood there before.
func TestGuardFollowsTheText(t *testing.T) {
	text := "a"
	for range 3 {
		token := guard(text)
		if token != guard(text) {
			t.Error("two runs have two tokens")
		}
		text += "\n::" + token + "::\n"
		if strings.Contains(text, guard(text)) {
			t.Error("the token stands in the text")
		}
	}
}

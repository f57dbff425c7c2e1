package resolver

import (
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	for text, want := range map[string]string{
		"https://u:secret@h/r":                             "https://u:***@h/r",
		"see https://u:secret@h/r and ssh://:secret@h":     "see https://u:***@h/r and ssh://:***@h",
		"https://u%3Asecret%40h/r":                         "https://u%3A***%40h/r",
		"https%3a%2F%2fu:secret@h":                         "https%3a%2F%2fu:***@h",
		`"https:\/\/u:secret\u0040h\/r"`:                   `"https:\/\/u:***\u0040h\/r"`,
		"https://u:se@cret@h/r":                            "https://u:***@h/r",
		"https://u:se:cret@h/r":                            "https://u:***@h/r",
		"https://u:@h/r":                                   "https://u:***@h/r",
		"https://u:secre":                                  "https://u:***",
		`"https://u:secre"...`:                             `"https://u:***"...`,
		"https://u@h/r":                                    "https://u@h/r",
		"https://h:8443/r@v1":                              "https://h:8443/r@v1",
		"https://[::1]:80/r":                               "https://[::1]:80/r",
		"git@h:o/r":                                        "git@h:o/r",
		"https://h/a:b@c":                                  "https://h/a:b@c",
		"ctxptr:remote:https://h/r%20HEAD@gitCommit:1:x":   "ctxptr:remote:https://h/r%20HEAD@gitCommit:1:x",
		"ctxptr:remote:https://u:secret@h/r%20HEAD@gitC:1": "ctxptr:remote:https://u:***@h/r%20HEAD@gitC:1",
		"a % b \\ c %zz \\u12":                             "a % b \\ c %zz \\u12",
	} {
		if got := Redact(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// FuzzRedact holds that no password survives wherever a URL stands, that nothing
// else is lost, and that a second time changes nothing.
func FuzzRedact(f *testing.F) {
	f.Add("ctxptr:remote:", "%20refs/heads/main@gitCommit:1")
	f.Add(`{"locator":"`, `"}`)
	f.Add("%", "\\u00")
	f.Fuzz(func(t *testing.T, before, after string) {
		got := Redact(before + " https://user:hunter2@host/ " + after)
		if strings.Contains(got, "hunter2") && !strings.Contains(before+after, "hunter2") {
			t.Errorf("the password survives in %q", got)
		}
		if again := Redact(got); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	})
}

package gitref

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// listConfig spells variables as git config --list -z does.
func listConfig(data []byte) (string, error) {
	var b strings.Builder
	err := parseConfig(data, func(key, value string, implicit bool) error {
		b.WriteString(key)
		if !implicit {
			b.WriteString("\n" + value)
		}
		b.WriteByte(0)
		return nil
	})
	return b.String(), err
}

func TestConfigSyntaxEqualsGit(t *testing.T) {
	g := newTestGit(t)
	tokens := []string{
		"[core]\n", "[a \"b\\\"c\"]", "[x.y]", "[A-1 \"\"]\n", "[", "]", "[s  \"t\\\\u\"]\n", "key", "Key-2", " = ", "=", "value",
		"\"", "\"quoted # ; \"", "\\n", "\\t", "\\b", "\\\\", "\\\"", "\\\n", "\\q", "# c", ";", "\n", "\n", "\n", " ", "  ",
		"\r\n", "1k", "-", "9", "é", ".",
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	agree := map[bool]int{}
	for i := range 400 {
		var b strings.Builder
		if i%10 == 0 {
			b.WriteString("\xef\xbb\xbf")
		}
		b.WriteString("[core]\n")
		for range rnd.IntN(14) {
			b.WriteString(tokens[rnd.IntN(len(tokens))])
		}
		g.write("cfg", b.String())
		cmd := g.command("config", "-f", "cfg", "--list", "-z")
		want, gitErr := cmd.Output()
		got, err := listConfig([]byte(b.String()))
		if (err != nil) != (gitErr != nil) {
			t.Fatalf("config %q: error %v, git %v", b.String(), err, gitErr)
		}
		if err == nil && got != string(want) {
			t.Fatalf("config %q lists %q, git %q", b.String(), got, want)
		}
		agree[err == nil]++
	}
	if agree[true] < 50 || agree[false] < 50 {
		t.Errorf("the generator is lopsided: %v", agree)
	}
}

func TestConfigKeepsInnerWhiteSpaceVerbatim(t *testing.T) {
	got, err := listConfig([]byte("[a]\nb = x\ty \t\nc = \t\n"))
	if want := "a.b\nx\ty\x00a.c\n\x00"; err != nil || got != want {
		t.Errorf("listed %q, %v, want %q", got, err, want)
	}
}

func TestConfigErrorNamesItsLine(t *testing.T) {
	for _, c := range []struct {
		text string
		line int
	}{
		{"[a]\nb\n[c\n", 3}, {"x y\n", 1}, {"[a]\n\n b = \\q\n", 3}, {"[a]\nb = \"open\n", 2}, {"[a]\nb = 1\x00\n", 2}, {"[a \"b\n\"]\n", 1},
	} {
		_, err := listConfig([]byte(c.text))
		s, ok := err.(*configSyntaxError)
		if !ok || s.line != c.line {
			t.Errorf("config %q: %v, want line %d", c.text, err, c.line)
		}
	}
}

func TestConfigIntegersAndBooleansEqualGit(t *testing.T) {
	g := newTestGit(t)
	// Gits disagree on the least integer, which is refused here.
	for _, v := range []string{
		"", "0", "1", "-1", "+7", "010", "0x1f", "0X1F", "08", "1k", "1K", "1m", "2g", "1g", "-1g", "2147483647", "2147483648",
		"-2147483647", "-2147483649", "1kk", "k", "1 k", " 1", "true", "TRUE", "yes", "On", "no", "Off", "false", "tru", "0x", "1.5", "--1", "+-1", "0k", "9999999999999999999",
	} {
		g.run("config", "-f", "cfg", "a.b", v)
		text, err := os.ReadFile(filepath.Join(g.dir, "cfg"))
		if err != nil {
			t.Fatal(err)
		}
		got := configVar{}
		if err := parseConfig(text, func(_, value string, implicit bool) error {
			got = configVar{value: value, implicit: implicit}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		intWant, intErr := g.command("config", "-f", "cfg", "--type=int", "a.b").Output()
		n, ok := parseGitInt(got.value)
		// Only the range of an int is asked of here, as for repositoryformatversion;
		// git config prints 64 bits.
		wide := len(strings.Trim(string(intWant), "-\n")) >= 10
		if !wide && (ok != (intErr == nil) || ok && fmt.Sprintf("%d\n", n) != string(intWant)) {
			t.Errorf("integer %q: %d %t, git %q %v", v, n, ok, intWant, intErr)
		}
		boolWant, boolErr := g.command("config", "-f", "cfg", "--type=bool", "a.b").Output()
		b, ok := got.boolValue()
		if ok != (boolErr == nil) || ok && fmt.Sprintf("%t\n", b) != string(boolWant) {
			t.Errorf("boolean %q: %t %t, git %q %v", v, b, ok, boolWant, boolErr)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte("[core]\n\tbare = false # c\n[remote \"o\"] url = \"a b\"\n"))
	f.Add([]byte("\xef\xbb\xbf[a]\r\nb = x \\\r\n y"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var b strings.Builder
		first := ""
		err := parseConfig(data, func(key, value string, implicit bool) error {
			formatConfigVar(&b, key, value, implicit)
			return nil
		})
		if err != nil {
			return
		}
		if first, err = listConfig(data); err != nil {
			t.Fatal(err)
		}
		if again, err := listConfig([]byte(b.String())); err != nil || again != first {
			t.Fatalf("%q formats to %q, which lists %q, %v, want %q", data, b.String(), again, err, first)
		}
	})
}

// formatConfigVar writes one variable under a section header of its own.
func formatConfigVar(b *strings.Builder, key, value string, implicit bool) {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	switch {
	case first < 0:
		first = last
	case first == last:
		fmt.Fprintf(b, "[%s]\n", key[:first])
	default:
		sub := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key[first+1 : last])
		fmt.Fprintf(b, "[%s \"%s\"]\n", key[:first], sub)
	}
	b.WriteString(key[last+1:])
	if !implicit {
		r := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
		fmt.Fprintf(b, " = \"%s\"", r.Replace(value))
	}
	b.WriteByte('\n')
}

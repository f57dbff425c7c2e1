package resolver

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// behaviour is one vector of testdata/vectors/resolve; the README there gives
// the format.
type behaviour struct {
	expect   []string // for each record: resolved, refreshed, or blocked and the code
	comments []string
	refresh  bool
	network  bool
	deep     bool
	same     bool
	repos    map[string]string // folders by the name of the repository, relative to dir
	maxBytes int64
	dir      string // current folder, relative to the vector's own
	root     string // the root, when it is named
	from     string
	env      []string // NAME=VALUE, for the resolver alone
	requires []string
	members  map[string]string
}

// headers reads each key of a vector's header. A key that is not here fails.
var headers = map[string]func(v *behaviour, value string) error{
	"expect":  func(v *behaviour, value string) error { v.expect = append(v.expect, value); return nil },
	"comment": func(v *behaviour, value string) error { v.comments = append(v.comments, value); return nil },
	"dir":     func(v *behaviour, value string) error { return once(&v.dir, value) },
	"root":    func(v *behaviour, value string) error { return once(&v.root, value) },
	"from":    func(v *behaviour, value string) error { return once(&v.from, value) },
	"env":     func(v *behaviour, value string) error { v.env = append(v.env, value); return nil },
	"max-bytes": func(v *behaviour, value string) (err error) {
		v.maxBytes, err = strconv.ParseInt(value, 10, 64)
		return err
	},
	"options": func(v *behaviour, value string) error {
		flags := map[string]*bool{"refresh": &v.refresh, "network": &v.network, "deep": &v.deep, "identical": &v.same}
		if flags[value] == nil || *flags[value] {
			return fmt.Errorf("the options are refresh, network, deep and identical, once each")
		}
		*flags[value] = true
		return nil
	},
	"repo": func(v *behaviour, value string) error {
		name, dir, found := strings.Cut(value, "=")
		if _, twice := v.repos[name]; twice || !found {
			return fmt.Errorf("a repository is NAME=DIR, once")
		}
		v.repos[name] = dir
		return nil
	},
	"requires": func(v *behaviour, value string) error {
		if _, ok := requirements[value]; !ok {
			return fmt.Errorf("unknown requirement %s", value)
		}
		v.requires = append(v.requires, value)
		return nil
	},
}

func once(into *string, value string) error {
	if *into != "" || value == "" {
		return fmt.Errorf("the key stands once, with a value")
	}
	*into = value
	return nil
}

// Members that are no content of a step.
const (
	memberSteps   = "steps"
	memberBetween = "between"
	memberPointer = "pointer"
	memberPieces  = "pieces"
	memberPrior   = "prior"
	memberRecord  = "record"
)

// parseBehaviour reads a vector.
func parseBehaviour(text []byte) (*behaviour, error) {
	archive := txtar.Parse(text)
	v := &behaviour{maxBytes: 64 << 20, members: map[string]string{}, repos: map[string]string{}}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		read := headers[key]
		if !found || read == nil {
			return nil, fmt.Errorf("unknown header line %q", line)
		}
		if err := read(v, value); err != nil {
			return nil, fmt.Errorf("header %s: %w", key, err)
		}
	}
	for _, f := range archive.Files {
		if _, twice := v.members[f.Name]; twice {
			return nil, fmt.Errorf("member %s stands twice", f.Name)
		}
		v.members[f.Name] = string(f.Data)
	}
	return v, v.check()
}

// check refuses a vector that proves nothing, and members that nothing uses.
func (v *behaviour) check() error {
	if len(v.expect) == 0 || len(v.comments) == 0 || v.members[memberRecord] == "" {
		return fmt.Errorf("a vector has expect, comment and record")
	}
	_, plain := v.members[memberPointer]
	_, pieces := v.members[memberPieces]
	if plain == pieces {
		return fmt.Errorf("a vector has either pointer or pieces")
	}
	used := map[string]bool{memberSteps: true, memberBetween: true, memberPointer: true, memberPieces: true, memberPrior: true, memberRecord: true}
	for _, list := range []string{memberSteps, memberBetween} {
		for _, s := range v.steps(list) {
			if s.member() != "" {
				used[s.member()] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.members)) {
		if !used[name] {
			return fmt.Errorf("unknown member %s", name)
		}
	}
	return nil
}

// steps returns the words of each step of a list.
func (v *behaviour) steps(list string) []step {
	var all []step
	for line := range strings.Lines(v.members[list]) {
		all = append(all, step(strings.Split(strings.TrimSuffix(line, "\n"), " ")))
	}
	return all
}

// content returns the bytes of a member that a step names.
func (v *behaviour) content(name string, encoded bool) ([]byte, error) {
	text, ok := v.members[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("no member %s", name)
	case encoded:
		return base64.StdEncoding.DecodeString(strings.ReplaceAll(text, "\n", ""))
	}
	return []byte(text), nil
}

// input is the list of pointers as it comes from standard input.
func (v *behaviour) input() (string, error) {
	if text, ok := v.members[memberPointer]; ok {
		return text, nil
	}
	var b strings.Builder
	for line := range strings.Lines(v.members[memberPieces]) {
		count, text, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		n, err := strconv.Atoi(count)
		if err != nil || !found || n < 1 {
			return "", fmt.Errorf("a piece is COUNT TEXT: %q", line)
		}
		piece, err := decodeWord(text)
		if err != nil {
			return "", err
		}
		b.WriteString(strings.Repeat(piece, n))
	}
	return b.String(), nil
}

// records are the expected records, as generic JSON values, each of which has the
// verdict that expect states.
func (v *behaviour) records(verdict func(map[string]any) string) ([]map[string]any, error) {
	var all []map[string]any
	for line := range strings.Lines(v.members[memberRecord]) {
		r, err := jsonValue([]byte(line))
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", len(all), err)
		}
		all = append(all, r)
	}
	if len(all) != len(v.expect) {
		return nil, fmt.Errorf("%d records, and expect stands %d times", len(all), len(v.expect))
	}
	for i, r := range all {
		if got := verdict(r); got != v.expect[i] {
			return nil, fmt.Errorf("record %d says %s, and expect %s", i, got, v.expect[i])
		}
	}
	return all, nil
}

func jsonValue(line []byte) (map[string]any, error) {
	d := json.NewDecoder(strings.NewReader(string(line)))
	d.UseNumber()
	var r map[string]any
	err := d.Decode(&r)
	return r, err
}

// verdict is a record's outcome as expect states it.
func verdict(r map[string]any) string {
	if r["outcome"] == Blocked {
		return fmt.Sprintf("%s %s", Blocked, r["code"])
	}
	return fmt.Sprint(r["outcome"])
}

// readBehaviours reads every vector of a folder, by name.
func readBehaviours(t testing.TB, folder string) map[string]*behaviour {
	t.Helper()
	dir := filepath.Join("..", "testdata", "vectors", folder)
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors under %s (%v): a run of nothing proves nothing", dir, err)
	}
	all := map[string]*behaviour{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(p), ".txtar")
		if all[name], err = parseBehaviour(text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return all
}

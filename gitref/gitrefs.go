package gitref

import (
	"context"
	"strings"
)

// gitRefs lists every ref once through the git binary, for a ref storage that is
// not read natively.
type gitRefs struct {
	git      *gitBinary
	hashSize int
	list     once[map[string]rawRef]
}

// readRef answers for refs/… from the list and for HEAD; other root refs are in
// no list that git gives.
func (g *gitRefs) readRef(name string) (rawRef, error) {
	refs, err := g.list.do(g.readAll)
	if err != nil {
		return rawRef{}, err
	}
	if raw, ok := refs[name]; ok {
		return raw, nil
	}
	return rawRef{}, noRef(name)
}

func (g *gitRefs) hasPrefix(prefix string) (bool, error) {
	refs, err := g.list.do(g.readAll)
	for name := range refs {
		if strings.HasPrefix(name, prefix) {
			return true, err
		}
	}
	return false, err
}

func (g *gitRefs) readAll() (map[string]rawRef, error) {
	out, err := g.git.run(context.Background(), g.git.dir, maxListOutput, gitForEachRef,
		"--format=%(HEAD)%00%(objectname)%00%(symref)%00%(refname)")
	if err != nil {
		return nil, &Error{Fault: Corrupt, Subject: "refs", Proof: "git cannot list the refs", Err: err}
	}
	refs := map[string]rawRef{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(f) != 4 {
			return nil, &Error{Fault: Corrupt, Subject: "refs", Proof: "git gave a list of refs in another form"}
		}
		id, err := ParseOID(f[1])
		if err != nil {
			return nil, &Error{Fault: Corrupt, Subject: f[3], Proof: "git gave a ref without an object id", Err: err}
		}
		refs[f[3]] = rawRef{oid: id, target: f[2]}
		if f[0] == "*" {
			refs["HEAD"] = rawRef{target: f[3]}
		}
	}
	return refs, g.detachedHead(refs)
}

// detachedHead adds a HEAD that is on no branch. A ref that HEAD could be short
// for would answer in its place: then nothing is added.
func (g *gitRefs) detachedHead(refs map[string]rawRef) error {
	if _, ok := refs["HEAD"]; ok {
		return nil
	}
	for _, rule := range refRules {
		if _, ok := refs[rule.before+"HEAD"+rule.after]; ok {
			return nil
		}
	}
	out, err := g.git.run(context.Background(), g.git.dir, maxShortOutput, gitRevParse, "--verify", "--end-of-options", "HEAD")
	if err != nil {
		return nil // unborn
	}
	id, err := ParseOID(strings.TrimSuffix(string(out), "\n"))
	if err == nil {
		refs["HEAD"] = rawRef{oid: id}
	}
	return nil
}

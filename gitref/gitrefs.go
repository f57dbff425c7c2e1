package gitref

import (
	"context"
	"errors"
	"strings"
)

// gitRefs lists every ref once through the git binary, for a ref storage that is
// not read natively.
type gitRefs struct {
	git  *gitBinary
	list lazy[map[string]rawRef]
}

// readRef answers for refs/… from the list. What lies outside, in no list git
// gives, is asked for one by one.
func (g *gitRefs) readRef(name string) (rawRef, error) {
	refs, err := g.list.get(g.readAll)
	if err != nil {
		return rawRef{}, err
	}
	raw, ok := refs[name]
	switch {
	case ok:
		return raw, nil
	case strings.HasPrefix(name, "refs/") || !fullRefName(name):
		return rawRef{}, noRef(name)
	}
	return g.rootRef(refs, name)
}

// rootRef asks git for a ref outside refs/. Where there is a ref that the name
// could be short for and has the answer's value, nothing tells whose it is.
func (g *gitRefs) rootRef(refs map[string]rawRef, name string) (rawRef, error) {
	out, err := g.git.run(context.Background(), g.git.dir, maxShortOutput, gitRevParse, "--verify", "--end-of-options", name)
	if _, refused := errors.AsType[*gitFailure](err); refused {
		return rawRef{}, noRef(name)
	}
	if err != nil {
		return rawRef{}, err
	}
	id, err := ParseOID(strings.TrimSuffix(string(out), "\n"))
	if err != nil {
		return rawRef{}, &Error{Fault: Corrupt, Subject: name, Proof: "git gave an answer that is no object id", Err: err}
	}
	for _, rule := range refRules {
		twin, ok := refs[rule.before+name+rule.after]
		switch {
		case !ok || twin.oid != id:
		case name == "HEAD":
			return rawRef{}, &Error{Fault: Unsupported, Subject: name, Proof: "the installed git cannot tell HEAD from a ref of that name"}
		default:
			return rawRef{}, noRef(name)
		}
	}
	return rawRef{oid: id}, nil
}

func (g *gitRefs) hasPrefix(prefix string) (bool, error) {
	refs, err := g.list.get(g.readAll)
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
	return refs, nil
}

func (g *gitRefs) close() {}

package resolver

import (
	"context"
	"strings"

	"ctxptr/authority"
	"ctxptr/gitref"
)

// permalink is a web address of a repository's content at one commit:
//
//	https://host/owner/repo/blob/<full commit id>/path#L1-L9
//	https://host/owner/repo/tree/<full commit id>/path
//	https://host/owner/repo/commit/<full commit id>
//
// as GitHub and Gitea print them, and with /-/ before blob as GitLab does.
type permalink struct {
	repository, form, commit, path, fragment string
}

// isWebAddress reports whether a target is read as a permalink or not at all.
func isWebAddress(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}

// parsePermalink parses a web address. The error is a *authority.Fault with code
// malformed:locator.
func parsePermalink(text string) (permalink, error) {
	_, rest, _ := strings.Cut(text, "://")
	address, fragment, _ := strings.Cut(rest, "#")
	address, _, _ = strings.Cut(address, "?") // how the page is shown
	parts := strings.Split(address, "/")
	at := formAt(parts)
	if at < 0 {
		return permalink{}, faultAt(authority.MalformedLocator, 0, "a permalink is https://host/owner/repo/ and blob, tree or commit, with a full commit id behind it")
	}
	name := parts[:at]
	if name[len(name)-1] == "-" {
		name = name[:len(name)-1]
	}
	l := permalink{repository: strings.ToLower(name[0]) + "/" + strings.Join(name[1:], "/"), form: parts[at], commit: parts[at+1], fragment: fragment}
	if err := authority.CheckRepository(l.repository); err != nil {
		return permalink{}, faultAt(authority.MalformedLocator, len(text)-len(rest), "the address names no host/owner/repo")
	}
	var err error
	if l.path, err = decodeAddress(strings.Join(parts[at+2:], "/")); err != nil {
		return permalink{}, err
	}
	switch {
	case l.form == "blob" && l.path == "", l.form == "commit" && l.path != "":
		return permalink{}, faultAt(authority.MalformedLocator, 0, "a blob has a path behind its commit id, a commit has none")
	case l.form != "blob" && fragment != "":
		return permalink{}, faultAt(authority.MalformedLocator, len(text)-len(fragment), "only a blob has lines or parts to select")
	}
	return l, nil
}

// formAt is the place of blob, tree or commit with a full commit id behind it.
func formAt(parts []string) int {
	for i := 3; i+1 < len(parts); i++ {
		switch parts[i] {
		case "blob", "tree", "commit":
			if _, err := gitref.ParseOID(parts[i+1]); err == nil {
				return i
			}
		}
	}
	return -1
}

// decodeAddress undoes the percent-encoding of an address, where every other
// byte stands for itself.
func decodeAddress(text string) (string, error) {
	plain, at := decodeUnits(text, percentUnit)
	for i := range plain {
		if plain[i] == '%' && at[i+1] == at[i]+1 {
			return "", faultAt(authority.MalformedLocator, 0, "the address has a broken percent-encoding")
		}
	}
	return strings.TrimSuffix(plain, "/"), nil
}

// wanted reads the permalink as a target: in the root's own repository when its
// remote origin is the one named, else in the folder that --repo gives.
func (l permalink) wanted(ctx context.Context, w *authority.Workspace) (Wanted, error) {
	prefix := ""
	own, err := w.OriginIs(ctx, l.repository)
	switch {
	case own:
	case w.HasFolderOf(l.repository):
		prefix = "//" + l.repository + "//"
	case err != nil:
		return Wanted{}, err
	default:
		return Wanted{}, mismatch(authority.MissingRepository, "%s is not where this repository's remote origin is, and no folder is given for it (--repo %s=DIR)", l.repository, l.repository)
	}
	want, err := l.meaning(prefix).wanted(ctx, w)
	if err != nil || l.form == "commit" {
		return want, err
	}
	return want, l.check(ctx, w, want)
}

// meaning is the reading of the permalink; prefix names its repository.
func (l permalink) meaning(prefix string) meaning {
	if l.form == "commit" {
		return meaning{kind: "commit", locator: prefix + l.commit}
	}
	return meaning{kind: "git", locator: prefix + l.commit + ":" + l.path, fragment: l.fragment}
}

// check proves that a blob stands at a blob's address, and a tree at a tree's.
func (l permalink) check(ctx context.Context, w *authority.Workspace, want Wanted) error {
	o, err := want.Locator.Observe(ctx, w, want.From)
	if err != nil {
		return err
	}
	if isTree := o.Mode == "040000"; isTree != (l.form == "tree") {
		return mismatch(authority.MissingNotRegular, "no %s stands at the address", l.form)
	}
	return nil
}

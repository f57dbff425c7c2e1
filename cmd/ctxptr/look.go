package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ctxptr/authority"
)

// lookFlags say how far the commands that observe authorities may look.
type lookFlags struct {
	network bool
	deep    bool
	repos   repoFolders
}

func (l *lookFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&l.network, "network", false, "let pointers of kind remote ask other repositories")
	f.BoolVar(&l.deep, "deep", false, "prove a commit with every tree and blob that it is made of")
	l.registerRepos(cmd)
}

// registerRepos registers the flag for other repositories alone.
func (l *lookFlags) registerRepos(cmd *cobra.Command) {
	cmd.Flags().Var(&l.repos, "repo", "the folder of another repository, as `HOST/OWNER/REPO=DIR` (repeatable)")
}

// repoFolders is the value of --repo: folders by the name of the repository.
type repoFolders map[string]string

func (r *repoFolders) String() string { return "" }

func (r *repoFolders) Type() string { return "HOST/OWNER/REPO=DIR" }

func (r *repoFolders) Set(text string) error {
	name, dir, found := strings.Cut(text, "=")
	if !found || dir == "" {
		return fmt.Errorf("a folder is given as HOST/OWNER/REPO=DIR")
	}
	if err := authority.CheckRepository(name); err != nil {
		return fmt.Errorf("%s", reason(err))
	}
	if _, twice := (*r)[name]; twice {
		return fmt.Errorf("the repository %s is given twice", name)
	}
	if *r == nil {
		*r = repoFolders{}
	}
	(*r)[name] = dir
	return nil
}

// within returns the folders as absolute paths.
func (r repoFolders) within(dir string) map[string]string {
	folders := make(map[string]string, len(r))
	for name, folder := range r {
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(dir, folder)
		}
		folders[name] = folder
	}
	return folders
}

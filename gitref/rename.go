package gitref

import "context"

// rename goes on behind a commit that has a path which a parent has not, with the
// path it had there; of one that removed the path it notes where that went.
func (l *PathLog) rename(ctx context.Context, v Version, before []*pathState) error {
	switch {
	case v.Cut:
		return nil
	case v.Entry.Mode == 0:
		return l.move(ctx, v, before)
	}
	why, followed := "it is the first commit", false
	for _, p := range before {
		if p.entry != (Entry{}) {
			followed = true
			continue
		}
		found, reason, err := l.renamed(ctx, v, p)
		if err != nil {
			return err
		}
		if why = reason; len(found) > 0 {
			followed = true
		}
		for _, r := range found {
			old, err := l.look(p.commit, r.path, nil)
			if err != nil {
				return err
			}
			l.Renames = append(l.Renames, Rename{v.Commit, r.path, v.Path, r.percent})
			l.push(old)
		}
	}
	if !followed {
		l.Ends = append(l.Ends, TrailEnd{v.Commit, v.Path, why})
	}
	return nil
}

// renamed finds the paths of a parent that a commit removed and that its new path
// continues. A reason is given where there is none.
func (l *PathLog) renamed(ctx context.Context, v Version, p *pathState) ([]alike, string, error) {
	if !isFileMode(v.Entry.Mode) {
		return nil, "only files are followed to another path", nil
	}
	s := l.similar(v.Path, v.Entry.OID, "removed")
	err := l.repo.DiffTrees(ctx, p.tree, v.tree, nil, func(c Change) error {
		s.add(c.Path, c.Old, c.New)
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	found, why, err := s.find(ctx)
	l.budget -= s.spent
	for _, id := range s.unread {
		l.Unread = append(l.Unread, UnreadBlob{v.Commit, id})
	}
	return found, why, err
}

func (l *PathLog) similar(path string, id OID, verb string) *similar {
	return &similar{repo: l.repo, path: path, id: id, verb: verb, budget: min(l.budget, maxRenameBytes)}
}

// move notes the paths that a commit added and that continue the one it removed.
func (l *PathLog) move(ctx context.Context, v Version, before []*pathState) error {
	for _, p := range before {
		if !isFileMode(p.entry.Mode) {
			continue
		}
		s := l.similar(v.Path, p.entry.OID, "added")
		err := l.repo.DiffTrees(ctx, p.tree, v.tree, nil, func(c Change) error {
			s.add(c.Path, c.New, c.Old)
			return nil
		})
		if err != nil {
			return err
		}
		found, _, err := s.find(ctx)
		l.budget -= s.spent
		if err != nil {
			return err
		}
		for _, r := range found {
			l.Moves = append(l.Moves, Rename{v.Commit, v.Path, r.path, r.percent})
		}
	}
	return nil
}

func isFileMode(m Mode) bool { return m == ModeFile || m == ModeExecutable }

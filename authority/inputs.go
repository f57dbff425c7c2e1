package authority

import "context"

var inputsKind = &Kind{
	Name:    "inputs",
	Summary: "what the members of a list of pointers are now",
	Example: "plan/inputs.txt",
	Doc: `The locator is the path of a file that lists pointers: one a line, or one JSON
array. The identity is composed of every member's kind, locator, selector and
current identity, in the order of the list. A member whose identity merely
changed is listed under changed and counts with the one it has now; one that is
blocked for another reason blocks the set (missing:input). A set that reaches
itself, through members or inputs_unchanged, is malformed:authority.
review-source-set and review-bundle are the hashes of path and SHA-256 pairs that
a review records; every member must then be a whole file or blob.`,
	Tags:    []Tag{BLAKE3, SHA256, ReviewSourceSet, ReviewBundle},
	Default: BLAKE3,
	parse: func(text string) (target, error) {
		return inputsTarget{text}, checkPath(text, 0)
	},
}

type inputsTarget struct{ path string }

func (inputsTarget) fixed() bool { return false }

func (t inputsTarget) observe(ctx context.Context, w *Workspace, _ string) (*Observation, error) {
	o, err := fileTarget{filePath{t.path}}.observe(ctx, w, "")
	if err != nil {
		return nil, err
	}
	o.inputs = &inputSet{load: o.load}
	o.composite = o.inputs
	o.load, o.convert = nil, nil
	o.noBytes = fault(MissingNotRegular, "a set of inputs has no bytes to select; its identity is of its members")
	return o, nil
}

// Member is one pointer of a list of inputs as it is now.
type Member struct {
	Pointer  string // canonical
	Kind     string
	Locator  string // decoded
	Selector string // decoded, empty for none
	Stated   Identity
	Current  Identity

	Path    string   // of a whole file or blob: its path
	Content Identity // of a whole file or blob: the sha256 of its bytes
}

// Changed reports whether the member's identity is another than the pointer
// states.
func (m Member) Changed() bool { return m.Current != m.Stated }

// Evaluate says what the pointers of a list are now, in the order of the list.
// With content it also fills in Path and Content, for which every member must be
// a whole file or blob. Errors are *Fault. Package resolver supplies it: what a
// pointer is and when it is proven is not known here.
type Evaluate func(list []byte, content bool) ([]Member, error)

// inputSet is the composite of a list of inputs.
type inputSet struct {
	load    func(context.Context) ([]byte, error)
	members []Member
	content bool // the members have Path and Content
}

// Gather evaluates the members that an identity of that tag is made of, unless
// they have been. Observations of other kinds have none. The error is a *Fault.
func (o *Observation) Gather(ctx context.Context, tag Tag, evaluate Evaluate) error {
	s := o.inputs
	content := tag == ReviewSourceSet || tag == ReviewBundle
	if s == nil || s.members != nil && (s.content || !content) {
		return nil
	}
	list, err := s.load(ctx)
	if err != nil {
		return err
	}
	members, err := evaluate(list, content)
	if err != nil {
		return err
	}
	s.members, s.content = members, content
	return nil
}

// Changed are the members of a set of inputs whose identity is another than they
// state, in the order of the list.
func (o *Observation) Changed() []Member {
	if o.inputs == nil {
		return nil
	}
	var changed []Member
	for _, m := range o.inputs.members {
		if m.Changed() {
			changed = append(changed, m)
		}
	}
	return changed
}

func (s *inputSet) identify(_ context.Context, tag Tag) (Identity, error) {
	switch tag {
	case ReviewSourceSet:
		return s.review(tag, "source-set")
	case ReviewBundle:
		return s.review(tag, "artifact-bundle")
	}
	c := newComposer(tag, "ctxptr-inputs-v1\n")
	for _, m := range s.members {
		c.frame(m.Kind)
		c.frame(m.Locator)
		c.frame(m.Selector)
		c.frame(m.Current.String())
	}
	return c.identity(), nil
}

// review is a record of the format review-identity-v1 about the members' files.
func (s *inputSet) review(tag Tag, label string) (Identity, error) {
	files := make([]ReviewFile, len(s.members))
	for i, m := range s.members {
		files[i] = ReviewFile{m.Path, m.Content}
	}
	fields, err := ReviewFields(files)
	if err != nil {
		return Identity{}, err
	}
	id := ReviewHash(label, fields)
	id.tag = tag
	return id, nil
}

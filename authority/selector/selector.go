package selector

import (
	"context"
	"fmt"
	"strings"
)

// Range is a half-open byte range [From, To) of a document.
type Range struct{ From, To int }

// Match is one place that fits a selector.
type Match struct {
	Range
	// Alone is the text of a selector that names this match and no other,
	// empty where none is known.
	Alone string
}

// evaluator is one parsed selector of one type.
type evaluator interface {
	// value returns the canonical value, the text after "=".
	value() string
	// find returns every match in document order. An error is always *Error.
	find(ctx context.Context, d *Document) ([]Match, error)
}

// Selector is a parsed selector. The zero Selector selects nothing; the others
// come from Parse.
type Selector struct {
	kind      *kind
	modifiers []string
	eval      evaluator
}

// kind is one line of the table of selector types.
type kind struct {
	name       string
	modifiers  []string // the modifiers it takes, in canonical order
	positional func(value string) bool
	parse      func(value string, modifiers []string) (evaluator, error)
	summary    string // what it selects, one line of help
	example    string // one selector of the type
	doc        string // the rules, a few lines of help
}

// Parse parses the decoded text of a selector, type[+modifier...]=value. The
// error is an *Error with fault Malformed and the offset in text, or
// Unsupported.
func Parse(text string) (Selector, error) {
	head, value, found := strings.Cut(text, "=")
	if !found {
		return Selector{}, malformed(len(text), "a selector is type=value; there is no '='")
	}
	name, rest, _ := strings.Cut(head, "+")
	k := lookup(name)
	if k == nil {
		return Selector{}, malformed(0, fmt.Sprintf("unknown selector type %q; known are %s", name, strings.Join(Names(), " ")))
	}
	mods, err := k.parseModifiers(head, rest, len(name))
	if err != nil {
		return Selector{}, err
	}
	eval, err := k.parse(value, mods)
	if err != nil {
		return Selector{}, shift(err, len(head)+1)
	}
	return Selector{kind: k, modifiers: mods, eval: eval}, nil
}

// parseModifiers reads "own" of "heading+own"; at is the offset of the first
// '+'. Modifiers stand in table order, unrepeated.
func (k *kind) parseModifiers(head, rest string, at int) ([]string, error) {
	if len(head) == at {
		return nil, nil
	}
	var mods []string
	next, offset := 0, at+1
	for m := range strings.SplitSeq(rest, "+") {
		i := indexFrom(k.modifiers, m, next)
		if i < 0 {
			return nil, malformed(offset, fmt.Sprintf("modifier %q is unknown, repeated or out of order for selector type %q", m, k.name))
		}
		mods = append(mods, m)
		next, offset = i+1, offset+len(m)+1
	}
	return mods, nil
}

func indexFrom(list []string, want string, from int) int {
	for i := from; i < len(list); i++ {
		if list[i] == want {
			return i
		}
	}
	return -1
}

// IsZero reports whether s selects nothing, which means the whole authority.
func (s Selector) IsZero() bool { return s.kind == nil }

// Type returns the selector's type, such as "heading".
func (s Selector) Type() string {
	if s.kind == nil {
		return ""
	}
	return s.kind.name
}

// Positional reports whether s names a place rather than a thing, so that other
// bytes may stand there after an edit: lines, or a path through an array index.
func (s Selector) Positional() bool {
	return s.kind != nil && s.kind.positional != nil && s.kind.positional(s.eval.value())
}

// String returns the canonical decoded text, which Parse gives back as the same
// Selector.
func (s Selector) String() string {
	if s.kind == nil {
		return ""
	}
	return s.Head() + "=" + s.Value()
}

// Head returns the type and its modifiers, the text before "=".
func (s Selector) Head() string {
	return strings.Join(append([]string{s.kind.name}, s.modifiers...), "+")
}

// Value returns the canonical value, the text after "=".
func (s Selector) Value() string { return s.eval.value() }

// Select returns the one range that s names in d. The error is an *Error: none
// (NoMatch), several with each of them (ManyMatches), or why no answer can be
// proven.
func (s Selector) Select(ctx context.Context, d *Document) (Range, error) {
	matches, err := s.eval.find(ctx, d)
	if err != nil {
		return Range{}, err
	}
	switch len(matches) {
	case 0:
		return Range{}, &Error{Fault: NoMatch, Proof: fmt.Sprintf("nothing in the document is %s", s.kind.noun(s.eval))}
	case 1:
		return matches[0].Range, nil
	}
	return Range{}, &Error{Fault: ManyMatches, Proof: fmt.Sprintf("%d places are %s; exactly one must be", len(matches), s.kind.noun(s.eval)), Matches: matches}
}

func (k *kind) noun(e evaluator) string { return k.name + "=" + clip(e.value()) }

// clip keeps a value quotable in one sentence.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q (%d bytes)", s[:most], len(s))
}

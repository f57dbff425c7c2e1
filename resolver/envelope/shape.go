package envelope

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"ctxptr/authority"
)

// shape holds a value against a schema and notes every failure.
func (c *check) shape(s *schema, n *node) {
	if s.ID == pointerID {
		c.pointer(n)
		return
	}
	if s.Type != "" && !n.is(s.Type) {
		c.addAt(n, WrongType, article(n.typeName())+" stands where "+article(s.Type)+" must stand")
		return
	}
	if s.ref != nil {
		c.shape(s.ref, n)
	}
	c.value(s, n)
	c.object(s, n)
	c.array(s, n)
	for _, one := range s.AllOf {
		c.shape(one, n)
	}
	if len(s.AnyOf) > 0 && !slices.ContainsFunc(s.AnyOf, func(one *schema) bool { return c.holds(one, n) }) {
		c.fail(s, n, WrongType, "none of the forms that may stand here does")
	}
	if s.Not != nil && c.holds(s.Not, n) {
		c.fail(s, n, NotInVocabulary, "the value must not stand here")
	}
	switch {
	case s.If == nil:
	case c.holds(s.If, n):
		if s.Then != nil {
			c.shape(s.Then, n)
		}
	case s.Else != nil:
		c.shape(s.Else, n)
	}
}

// holds reports whether a value is what a schema describes.
func (c *check) holds(s *schema, n *node) bool {
	trial := newCheck(nil, c.options)
	trial.data = c.data
	trial.shape(s, n)
	return len(trial.findings) == 0
}

// fail notes a failure under the schema's own code, or under code.
func (c *check) fail(s *schema, n *node, code, message string) {
	if s.Finding != nil {
		code, message = s.Finding.Code, s.Finding.Message
	}
	c.addAt(n, code, message)
}

// is reports whether the value has a type of JSON Schema.
func (n *node) is(name string) bool {
	if name == "integer" {
		_, err := strconv.Atoi(n.text)
		return n.kind == '0' && err == nil
	}
	return n.typeName() == name
}

// value checks the assertions about single values.
func (c *check) value(s *schema, n *node) {
	if s.Const != nil && !n.equals(s.Const) {
		c.fail(s, n, NotInVocabulary, "the value must be "+string(s.Const))
	}
	if s.Enum != nil && (n.kind != '"' || !slices.Contains(s.Enum, n.text)) {
		c.fail(s, n, NotInVocabulary, "the value is none of "+strings.Join(s.Enum, ", "))
	}
	if s.pattern != nil && n.kind == '"' && !s.pattern.MatchString(n.text) {
		c.fail(s, n, MalformedPointer, "the text is not spelled as it must be")
	}
	if s.MinLength != nil && n.kind == '"' && n.text == "" {
		c.fail(s, n, Empty, "the text is empty")
	}
	if s.Minimum != nil && n.kind == '0' {
		if v, err := strconv.Atoi(n.text); err == nil && v < *s.Minimum {
			c.fail(s, n, NotInVocabulary, "the number is less than "+strconv.Itoa(*s.Minimum))
		}
	}
}

// equals reports whether a value is the constant of a schema: a string, a
// boolean or null.
func (n *node) equals(constant json.RawMessage) bool {
	if constant[0] != '"' {
		return n.kind == constant[0]
	}
	var text string
	return n.kind == '"' && json.Unmarshal(constant, &text) == nil && n.text == text
}

func (c *check) object(s *schema, n *node) {
	if n.kind != '{' {
		return
	}
	for _, key := range s.Required {
		if n.get(key) == nil {
			c.fail(s, n, MissingKey, "the key "+key+" is missing")
		}
	}
	for _, m := range n.members {
		if known, ok := s.Properties[m.value.key]; ok {
			c.shape(known, m.value)
		} else if s.Additional != nil && !*s.Additional {
			c.add(UnknownKey, m.at, m.value.path(), "the key "+authority.Quote(m.value.key)+" is none of "+strings.Join(keysOf(s), ", "))
		}
	}
}

func keysOf(s *schema) []string {
	var keys []string
	for key := range s.Properties {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (c *check) array(s *schema, n *node) {
	if n.kind != '[' {
		return
	}
	if s.MinItems != nil && len(n.items) < *s.MinItems || s.MaxItems != nil && len(n.items) > *s.MaxItems {
		c.fail(s, n, Empty, "the list has not the length that it must have")
	}
	for i, item := range n.items {
		switch {
		case i < len(s.Prefix):
			c.shape(s.Prefix[i], item)
		case s.Items != nil:
			c.shape(s.Items, item)
		}
	}
}

// article puts the article before the name of a type.
func article(name string) string {
	switch {
	case name == "null":
		return name
	case strings.ContainsRune("aeiou", rune(name[0])):
		return "an " + name
	}
	return "a " + name
}

package envelope

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ctxptr/resolver"
)

// Kind is one line of the table of envelopes.
type Kind struct {
	Name    string
	Summary string // one line

	decode func(k *Kind, c *check) // reads the file, holds it against its schema and finds its pointers
	rules  []rule                  // what no schema can say
}

// rule holds an envelope, whose shape may be wrong, against one rule.
type rule func(c *check)

// kinds is the table of envelopes, sorted by name.
var kinds = []*Kind{
	{"handoff", "what a delivery leaves for another task", decodeJSON, []rule{packetInHandoff}},
	{"inputs", "a list of pointers that something depends on", decodeInputs, nil},
	{"lens-result", "what one reviewer found about one coverage", decodeJSON, nil},
	{"packet", "the Delivery Context Packet", decodeJSON, []rule{excerpts, reusedEvidence}},
	{"phase-result", "what a phase returns", decodeJSON, nil},
	{"pointer", "one Context Pointer", decodePointer, nil},
	{"review-epoch", "the results about one Review Packet and what became of them", decodeJSON, []rule{epochResults, epochAccounts}},
	{"review-packet", "what every reviewer of one epoch reads", decodeJSON, []rule{factsDigest, packetIdentity}},
	{"review-report", "a retained review report", decodeReport, nil},
	{"task-gate", "what the parent decided about a task", decodeJSON, []rule{gatedResult, reusedEvidence}},
	{"task-result", "what the worker of a task returns", decodeJSON, []rule{changedPaths}},
}

// Kinds returns every envelope, sorted by name.
func Kinds() []*Kind { return slices.Clone(kinds) }

// LookupKind returns the kind of a name, false when there is none.
func LookupKind(name string) (*Kind, bool) {
	for _, k := range kinds {
		if k.Name == name {
			return k, true
		}
	}
	return nil, false
}

// Describe writes what the kind's schema says: what it is for, and its keys.
func (k *Kind) Describe(b *strings.Builder) {
	s := schemaOf(k.Name)
	if s == nil {
		return
	}
	fmt.Fprintf(b, "\n%s\n", s.Description)
	for _, key := range keysOf(s) {
		note := ""
		if !slices.Contains(s.Required, key) {
			note = " (optional)"
		}
		if about := s.Properties[key].about(); about != "" {
			note += ": " + about
		}
		fmt.Fprintf(b, "  %s%s\n", key, note)
	}
}

// about is what a schema, or the one it refers to, says of a value.
func (s *schema) about() string {
	switch {
	case s.Description != "":
		return s.Description
	case s.Enum != nil:
		return strings.Join(s.Enum, ", ")
	case s.ref != nil:
		return s.ref.about()
	}
	return ""
}

// decodeJSON reads one JSON document of the kind's schema.
func decodeJSON(k *Kind, c *check) { c.readDocument(k.Name) }

// readDocument reads one JSON document of a schema.
func (c *check) readDocument(schema string) {
	c.read()
	if c.root != nil {
		c.shape(schemaOf(schema), c.root)
		c.payload()
	}
}

// decodePointer reads one pointer: in JSON, or as the one word of a text.
func decodePointer(_ *Kind, c *check) {
	from, to := trimmed(c.data, 0, len(c.data))
	if from == to || c.data[from] == '{' || c.data[from] == '"' {
		c.read()
	} else {
		c.root = c.word(from, to)
	}
	if c.root != nil {
		c.pointer(c.root)
	}
}

// decodeInputs reads a list of pointers: one JSON array, or one pointer a line.
func decodeInputs(k *Kind, c *check) {
	from, _ := trimmed(c.data, 0, len(c.data))
	if from < len(c.data) && c.data[from] == '[' {
		c.readDocument(k.Name)
		return
	}
	c.root = &node{kind: '[', to: len(c.data)}
	for start, end := range c.eachLine {
		if from, to := trimmed(c.data, start, end); from < to {
			c.listed(from, to)
		}
	}
	if len(c.root.items) == 0 {
		c.shape(schemaOf(k.Name), c.root)
	}
}

// listed reads one line of a list of pointers.
func (c *check) listed(from, to int) {
	add := func(n *node) {
		n.up, n.index = c.root, len(c.root.items)
		c.root.items = append(c.root.items, n)
	}
	if c.data[from] != '{' && c.data[from] != '"' {
		n := c.word(from, to)
		add(n)
		c.pointer(n)
		return
	}
	before := len(c.root.items)
	c.parse(from, to, "/"+strconv.Itoa(before), add)
	if len(c.root.items) == before {
		// The place of what is no JSON is kept, so that the others keep theirs.
		add(&node{kind: 'n', from: from, to: to})
		return
	}
	c.shape(schemaOf("inputs").Items, c.root.items[before])
}

// word is a text that stands in the file without quotation marks.
func (c *check) word(from, to int) *node {
	return &node{kind: '"', from: from, to: to, text: string(c.data[from:to]), bare: true}
}

// trimmed returns the bytes of from..to without white space around them.
func trimmed(data []byte, from, to int) (int, int) {
	const space = " \t\r\n"
	inner := bytes.TrimLeft(data[from:to], space)
	from = to - len(inner)
	return from, from + len(bytes.TrimRight(inner, space))
}

// decodeReport checks a retained review report and finds the pointers in it.
func decodeReport(_ *Kind, c *check) {
	name := c.options.Name
	if name == "-" {
		name = "" // standard input has none
	}
	c.findings = append(c.findings, checkReviewReport(name, c.data)...)
	c.root = &node{kind: '"', to: len(c.data), bare: true}
	for start, end := range c.eachLine {
		for _, found := range resolver.FindInLine(string(c.data[start:end])) {
			c.inText(c.root, start+found.Column-1, found.Text)
		}
	}
}

package envelope

import (
	"errors"
	"slices"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
)

// changedPaths holds the changed paths of a task against its Active Write Scope,
// where one is given, and against the range that its scoped delta points at.
func changedPaths(c *check) {
	list := c.root.get("changed_paths")
	seen := map[string]bool{}
	for _, n := range list.list() {
		if seen[n.str()] && n.kind == '"' {
			c.addAt(n, Repeated, "the path stands twice")
		}
		seen[n.str()] = true
		if n.kind == '"' && c.options.Scope != nil && !inScope(c.options.Scope, n.text) {
			c.addAt(n, OutsideScope, "the path lies outside the Active Write Scope")
		}
	}
	c.delta(list, seen)
}

// inScope reports whether a path is, or lies below, a path of the scope.
func inScope(scope []string, p string) bool {
	return slices.ContainsFunc(scope, func(s string) bool {
		s = strings.TrimSuffix(s, "/")
		return s == "." || p == s || strings.HasPrefix(p, s+"/")
	})
}

// delta holds the paths against those that the range lists.
func (c *check) delta(list *node, stated map[string]bool) {
	n := c.root.get("scoped_delta")
	p, ok := c.standsAt(n)
	if r := c.records[n]; !ok || list == nil || r == nil || r.Outcome == resolver.Blocked || p.Kind().Name != "range" {
		return
	}
	paths, err := c.rangePaths(p)
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		c.addAt(n, PathsDiffer, "the range's paths cannot be listed: "+string(f.Code)+": "+f.Proof)
		return
	}
	listed := map[string]bool{}
	for _, one := range paths {
		listed[one] = true
		if !stated[one] {
			c.addAt(list, PathsDiffer, "the range lists "+authority.Quote(one)+", which is not stated")
		}
	}
	for _, item := range list.list() {
		if item.kind == '"' && !listed[item.text] {
			c.addAt(item, PathsDiffer, "the range does not list the path")
		}
	}
}

func (c *check) rangePaths(p resolver.Pointer) ([]string, error) {
	o, err := p.Locator().Observe(c.ctx, c.workspace, c.options.File)
	if err != nil {
		return nil, err
	}
	return o.RangePaths(c.ctx)
}

// gatedResult holds that a gate passes, or asks for a repair, only on a valid and
// ready result of its own task, every pointer of which is proven.
func gatedResult(c *check) {
	n, outcome := c.root.get("task_result"), c.root.get("outcome")
	if n == nil || !n.pointer || c.records == nil {
		return
	}
	refuse := func(why string) {
		if outcome.str() != "" && outcome.text != "blocked" {
			c.addAt(outcome, GateWithoutResult, why+", so the gate can only be blocked")
		}
	}
	data, ok := c.bytesAt(n)
	if !ok {
		refuse("the task result is not proven")
		return
	}
	p, _ := c.standsAt(n)
	file, _ := p.Path(c.options.File) // none of a result in a revision
	result := newCheck(data, &Options{File: file})
	result.readDocument("task-result")
	unproven := result.unproven(c)
	if result.root != nil {
		changedPaths(result)
	}
	switch {
	case failed(result.findings):
		refuse("the task result is malformed")
		return
	case unproven != "":
		refuse(unproven)
	case result.root.get("status").str() == "blocked":
		refuse("the task result is blocked")
	}
	if task := c.root.get("task_identity"); task.str() != "" && result.root.get("task_identity").str() != task.text {
		c.addAt(task, TaskDiffers, "the task result is about another task")
	}
}

// unproven resolves the pointers of an envelope that another one is about, and says
// which is blocked first, "" when none is. Nothing is refreshed: what it states is what
// the other relies on.
func (c *check) unproven(by *check) string {
	records, err := c.resolve(by.ctx, by.workspace)
	if err != nil {
		return "the pointers of the task result cannot be resolved"
	}
	for _, r := range records {
		if r.Outcome == resolver.Blocked {
			return "the task result's pointer at " + r.ID + " is blocked as " + string(r.Code)
		}
	}
	return ""
}

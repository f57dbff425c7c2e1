package envelope

// reusedEvidence holds that evidence is reused only with the identity, scope and
// freshness rules that it was made for.
func reusedEvidence(c *check) {
	for _, entry := range c.root.get("evidence_freshness").list() {
		made := entry.get("reused_from")
		if made == nil || made.kind != '{' {
			continue
		}
		for _, key := range []string{"identity", "scope", "freshness_rule"} {
			was, is := made.get(key), entry.get(key)
			if was != nil && is != nil && !same(was, is) {
				c.addAt(was, EvidenceDiffers, "the evidence was made for another "+key+" than it is reused for")
			}
		}
	}
}

// same reports whether two values are equal as texts or lists of texts.
func same(a, b *node) bool {
	if a.kind != b.kind || a.text != b.text || len(a.items) != len(b.items) {
		return false
	}
	for i := range a.items {
		if !same(a.items[i], b.items[i]) {
			return false
		}
	}
	return true
}

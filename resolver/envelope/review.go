package envelope

import (
	"strconv"

	"ctxptr/authority"
)

// coverages are the five primary obligations of primary-challenger-v1.
var coverages = []string{"standards", "skill_adherence", "architecture", "simplify", "spec"}

// factsDigest holds that facts_sha256 is of the facts.
func factsDigest(c *check) {
	facts, stated := c.root.get("facts"), c.root.get("facts_sha256")
	if facts == nil || facts.kind != '"' || stated.str() == "" {
		return
	}
	if now := authority.SHA256Sum([]byte(facts.text)).Hex(); now != stated.text {
		c.addAt(stated, DigestDiffers, "the SHA-256 of facts is "+now)
	}
}

// packetIdentity holds that a packet's identity, where it is spelled as a hash beside
// a run that is one, is that of the record review-packet. The contract leaves the
// form of both open: another is a name.
func packetIdentity(c *check) {
	said := c.root.get("packet_identity")
	if isHex(said.str(), 64) && isHex(c.root.get("review_run_id").str(), 64) {
		c.hash("review-packet", packetPrimitives(c.root), said)
	}
}

// packetPrimitives are what a Review Packet is named by, which a report repeats
// under the same keys.
func packetPrimitives(n *node) Primitives {
	text := func(key string) string { return n.get(key).str() }
	return primitivesOf(
		"run", text("review_run_id"), "bounds_hash", text("accepted_bounds_hash"),
		"snapshot", text("snapshot_hash"), "source_set_hash", text("source_set_hash"),
	)
}

// epochResults holds that the results of an epoch are of its packet, complete,
// once each, and that every primary obligation is among them.
func epochResults(c *check) {
	packet := c.root.get("packet_identity").str()
	results := c.root.get("results")
	seen, primary := map[[2]string]bool{}, map[string]bool{}
	for _, r := range results.list() {
		if id := r.get("packet_identity"); id.str() != "" && packet != "" && id.text != packet {
			c.addAt(id, PacketDiffers, "the result is about another packet than the epoch")
		}
		if o := r.get("outcome"); o.str() == "incomplete" {
			c.addAt(o, CoverageIncomplete, "an epoch holds complete results only")
		}
		coverage := r.get("coverage")
		name := [2]string{r.get("reviewer_identity").str(), coverage.str()}
		isPrimary := r.get("role").str() == "primary"
		if coverage.str() != "" && (seen[name] || isPrimary && primary[name[1]]) {
			c.addAt(coverage, CoverageRepeated, "this coverage has a result already")
		}
		seen[name] = true
		primary[name[1]] = primary[name[1]] || isPrimary
	}
	if results == nil || results.kind != '[' {
		return
	}
	for _, name := range coverages {
		if !primary[name] {
			c.addAt(results, CoverageMissing, "the primary obligation "+name+" has no result")
		}
	}
}

// candidateRef names one candidate of an epoch.
type candidateRef struct {
	reviewer, coverage string
	index              int
}

// epochAccounts holds that every candidate is accounted for exactly once.
func epochAccounts(c *check) {
	known := map[candidateRef]*node{}
	for _, r := range c.root.get("results").list() {
		for i, candidate := range r.get("candidates").list() {
			known[candidateRef{r.get("reviewer_identity").str(), r.get("coverage").str(), i}] = candidate
		}
	}
	accounted := map[candidateRef]bool{}
	for _, a := range c.root.get("adjudications").list() {
		for _, n := range a.get("candidate_refs").list() {
			ref, ok := readRef(n)
			switch {
			case !ok && n.kind == '"':
				c.addAt(n, MalformedCandidateRef, "the string holds no JSON array of reviewer, coverage and index")
			case !ok:
			case known[ref] == nil:
				c.addAt(n, CandidateUnknown, "no result has a candidate "+authority.Quote(ref.coverage)+" "+strconv.Itoa(ref.index)+" of that reviewer")
			case accounted[ref]:
				c.addAt(n, CandidateRepeated, "the candidate is accounted for already")
			}
			accounted[ref] = accounted[ref] || ok
		}
	}
	for ref, n := range known {
		if !accounted[ref] {
			c.addAt(n, CandidateUnaccounted, "no adjudication accounts for the candidate")
		}
	}
}

// readRef reads a candidate reference: the triple, or a string that holds it in
// JSON.
func readRef(n *node) (candidateRef, bool) {
	if n.kind == '"' {
		doc := newDocument([]byte(n.text))
		doc.read()
		if len(doc.findings) > 0 || doc.root.kind == '"' {
			return candidateRef{}, false
		}
		return readRef(doc.root)
	}
	if len(n.items) != 3 || n.items[0].kind != '"' || n.items[1].kind != '"' || !n.items[2].is("integer") {
		return candidateRef{}, false
	}
	index, err := strconv.Atoi(n.items[2].text)
	return candidateRef{n.items[0].text, n.items[1].text, index}, err == nil
}

package envelope

// The triggers of a cold route. The set is closed; every one has at least one
// vector under testdata/vectors/route.
const (
	TriggerBase          = "base"
	TriggerBlocker       = "blocker"
	TriggerBounds        = "bounds"
	TriggerBranch        = "branch"
	TriggerEvidence      = "evidence"
	TriggerEvidenceState = "evidence_state"
	TriggerGoal          = "goal"
	TriggerHandoff       = "handoff"
	TriggerNextAction    = "next_action"
	TriggerPointer       = "pointer"
	TriggerTarget        = "target"
	TriggerTask          = "task"
)

// triggers is the table of triggers, sorted, with what explain prints of each.
var triggers = []struct{ name, means, next string }{
	{TriggerBase, "The packet's base is no commit here that HEAD's history holds, names no commit, or is another than --base.",
		"Discard the packet; find the base from the accepted bounds, fetching history where it is missing."},
	{TriggerBlocker, "The packet names a blocker: a contradiction that nobody has resolved.",
		"Discard the packet; resolve the blocker at its durable authority first."},
	{TriggerBounds, "The accepted bounds are others than the packet's, or were not given.",
		"Discard the packet; read the accepted bounds from their authority."},
	{TriggerBranch, "HEAD is on another branch than the packet's, or on none.",
		"Discard the packet; check out the delivery's branch, or find which one it is."},
	{TriggerEvidence, "A pointer to required evidence is blocked; its record says why.",
		"Discard the packet; make the evidence anew for what it depends on, and nothing else."},
	{TriggerEvidenceState, "Required evidence is invalidated, or its reconciliation is stale or blocked.",
		"Discard the packet; the evidence needs another gate before anything depends on it."},
	{TriggerGoal, "The delivery goal is another than the packet's, or was not given.",
		"Discard the packet; it belongs to another delivery."},
	{TriggerHandoff, "A delivery handoff was received: whoever receives one starts cold.",
		"Resolve what the handoff names from durable authorities."},
	{TriggerNextAction, "The next action is another than the packet's, or was not given.",
		"Discard the packet; find the next action from the plan and its gates."},
	{TriggerPointer, "A pointer of the packet is blocked; its record says why.",
		"Discard the packet; resolve the named authority anew, and return the record where that fails."},
	{TriggerTarget, "The packet's target is not at HEAD, names no commit, or is another than --target.",
		"Discard the packet; find out what moved HEAD or the target."},
	{TriggerTask, "The active task is another than the packet's, was not given, or the packet has none.",
		"Discard the packet; a new task starts cold."},
}

// Triggers returns the name of every trigger, sorted.
func Triggers() []string {
	names := make([]string, len(triggers))
	for i, t := range triggers {
		names[i] = t.name
	}
	return names
}

// ExplainTrigger says what a trigger means and what to do next, false for none.
func ExplainTrigger(name string) (means, next string, ok bool) {
	for _, t := range triggers {
		if t.name == name {
			return t.means, t.next, true
		}
	}
	return "", "", false
}

package authority

import "strings"

// Code is one exact reason for a block: reason, colon, subject. The set is
// closed; every code has at least one vector under testdata/vectors.
type Code string

// Reason returns the part before the colon: missing, stale, malformed or
// ambiguous.
func (c Code) Reason() string {
	reason, _, _ := strings.Cut(string(c), ":")
	return reason
}

// The codes.
const (
	AmbiguousAuthority   Code = "ambiguous:authority"
	AmbiguousMergeBase   Code = "ambiguous:merge_base"
	AmbiguousObservation Code = "ambiguous:observation"
	AmbiguousRef         Code = "ambiguous:ref"
	AmbiguousRevision    Code = "ambiguous:revision"
	AmbiguousSelection   Code = "ambiguous:selection"

	MalformedAuthority     Code = "malformed:authority"
	MalformedFreshnessRule Code = "malformed:freshness_rule"
	MalformedIdentity      Code = "malformed:identity"
	MalformedKind          Code = "malformed:kind"
	MalformedLocator       Code = "malformed:locator"
	MalformedSelector      Code = "malformed:selector"
	MalformedSyntax        Code = "malformed:syntax"

	MissingAuthority              Code = "missing:authority"
	MissingConversionUnknown      Code = "missing:conversion_unknown"
	MissingCorruptStore           Code = "missing:corrupt_store"
	MissingHistoryShallow         Code = "missing:history_shallow"
	MissingInput                  Code = "missing:input"
	MissingLimit                  Code = "missing:limit"
	MissingMergeBase              Code = "missing:merge_base"
	MissingNetwork                Code = "missing:network"
	MissingNotACommit             Code = "missing:not_a_commit"
	MissingNotRegular             Code = "missing:not_regular"
	MissingObject                 Code = "missing:object"
	MissingObjectNotLocal         Code = "missing:object_not_local"
	MissingOutsideSparseCheckout  Code = "missing:outside_sparse_checkout"
	MissingOwnership              Code = "missing:ownership"
	MissingPermission             Code = "missing:permission"
	MissingReference              Code = "missing:reference"
	MissingRepository             Code = "missing:repository"
	MissingRevision               Code = "missing:revision"
	MissingSelection              Code = "missing:selection"
	MissingSubmoduleUninitialised Code = "missing:submodule_uninitialised"
	MissingUnsupportedRepository  Code = "missing:unsupported_repository"
	MissingUnsupportedSelector    Code = "missing:unsupported_selector"

	StaleIdentity      Code = "stale:identity"
	StaleInputs        Code = "stale:inputs"
	StaleNotDescendant Code = "stale:not_descendant"
	StaleNotReachable  Code = "stale:not_reachable"
	StaleUncommitted   Code = "stale:uncommitted"
	StaleUnstaged      Code = "stale:unstaged"
)

// codes is the table of codes, sorted, with what explain prints of each.
var codes = []struct {
	code        Code
	means, next string
}{
	{AmbiguousAuthority, "A plain reference names one thing seen from its document's folder, and another seen from the root.", "Write the path so that only one is meant; the candidates list both."},
	{AmbiguousMergeBase, "Two commits have several best common ancestors, so base...head names several ranges.", "Write the one that is meant, from the candidates, as BASE..HEAD."},
	{AmbiguousObservation, "Two looks at the authority disagreed: it changed while it was read, or between an observation and its refresh.", "Let the writer finish, then resolve again."},
	{AmbiguousRef, "Several refs answer to the short name; git would warn and pick one, ctxptr does not.", "Write the full ref name; the candidates list them."},
	{AmbiguousRevision, "Several objects start with the abbreviated id.", "Write the full id; the candidates list them."},
	{AmbiguousSelection, "More than one place fits the selector, or lines that moved now stand in several places.", "Point at one of the candidates, which are whole pointers."},
	{MalformedAuthority, "The authority was read, but what stands there cannot be parsed safely around the selection.", "Repair the file at the place named, or select by lines or text."},
	{MalformedFreshnessRule, "A freshness rule is unknown, repeated, out of order, lacks its value, or does not fit the kind.", "See: ctxptr explain rule."},
	{MalformedIdentity, "The identity is untagged, of an unknown tag, of wrong length, not lower-case hexadecimal, or does not fit the kind.", "Mint the pointer anew from its source; never complete a digest by hand."},
	{MalformedKind, "The authority kind is unknown.", "See: ctxptr explain kind."},
	{MalformedLocator, "The locator breaks its kind's grammar or would leave the root.", "See: ctxptr explain kind NAME."},
	{MalformedSelector, "The selector is of an unknown type, breaks its type's grammar, or does not fit the kind.", "See: ctxptr explain selector NAME."},
	{MalformedSyntax, "The text is no pointer: a separator is missing, an escape is broken, a byte must be percent-encoded, or the JSON is not strict.", "The position says where; mint prints pointers that are right."},
	{MissingAuthority, "Nothing stands at the locator.", "Find where it went and mint a new pointer; ctxptr never guesses a successor."},
	{MissingConversionUnknown, "The file's bytes differ, and git would convert them in a way that is not computed here, so equal or different is unproven.", "Compare with git add in a scratch index, or pin the committed blob with kind git."},
	{MissingCorruptStore, "The object database contradicts itself, so an absence or a content cannot be proven.", "Run git fsck in that repository."},
	{MissingHistoryShallow, "The answer lies beyond the boundary of a shallow history.", "Fetch the missing history: git fetch --unshallow."},
	{MissingInput, "A member of an input set is blocked for another reason than that its identity changed; the proof names the member and its code.", "Repair that member's pointer or its authority first."},
	{MissingLimit, "A bound on bytes, depth or time was reached before the proof was complete, or there was no room to write.", "Raise the bound named (--max-bytes, --timeout), point at something smaller, or make room."},
	{MissingMergeBase, "Two commits have no common ancestor, so base...head names no range.", "Name the base itself: BASE..HEAD."},
	{MissingNetwork, "The proof lies in another repository, and it was not allowed to be asked, or did not answer.", "Give --network, or find out why the remote does not answer."},
	{MissingNotACommit, "The revision names an object that is no commit.", "Name a commit or a tag of one."},
	{MissingNotRegular, "Something of another type stands there: a folder, a symbolic link, a device, a pipe, a tree for a blob or the reverse.", "Point at the regular file, or use the kind made for it."},
	{MissingObject, "An object that the repository refers to is not in its object database.", "Fetch it, or run git fsck."},
	{MissingObjectNotLocal, "A partial clone promised the object; its bytes are at the remote and are not fetched here.", "Run the record's fix, which fetches it, then resolve again."},
	{MissingOutsideSparseCheckout, "The path is tracked, and sparse-checkout leaves it out of the working tree.", "Add it to the sparse checkout, run the record's fix, or use kind git."},
	{MissingOwnership, "The repository belongs to another user and safe.directory does not allow it.", "If you trust it, run what git status says there: git config --global --add safe.directory with its folder."},
	{MissingPermission, "The operating system refused to read, or to write what was accepted.", "Grant access to the path named."},
	{MissingReference, "A pin stands in ctxptr.pins, and its document no longer holds the reference that it belongs to.", "Restore the reference; where the document was renamed, ctxptr accept --moved OLD=NEW takes its pins along; else ctxptr unpin DOCUMENT --only NAME takes this one away, NAME as the record has it."},
	{MissingRepository, "The proof needs a git repository, and there is none here, or it is another than the root's.", "Run inside the repository, or give --root or -C."},
	{MissingRevision, "The revision names nothing in this repository.", "Fetch it, or correct the revision."},
	{MissingSelection, "Nothing in the authority fits the selector.", "Find where the target went (ctxptr sections, symbols and keys list what there is), and mint a new pointer."},
	{MissingSubmoduleUninitialised, "The path lies in a submodule that is not checked out.", "Run the record's fix, git submodule update --init with that path."},
	{MissingUnsupportedRepository, "The repository uses a format or extension that cannot be read here, and no git binary could answer for it.", "Install a git that knows the format."},
	{MissingUnsupportedSelector, "This installation cannot evaluate the selector on such a document.", "See: ctxptr explain selector NAME; select by lines or text instead."},
	{StaleIdentity, "What stands there now has another identity than the pointer states.", "Read what changed; only the parent may adopt it: resolve --refresh."},
	{StaleInputs, "The input set that inputs_unchanged names has another identity now.", "Read which members changed; what depends on them must be proven anew."},
	{StaleNotDescendant, "The ref no longer descends from the stated commit: it was rewound or forked.", "Find out who rewrote the ref before acting."},
	{StaleNotReachable, "The commit is no ancestor of the ref named by reachable_from.", "Merge or push it, or correct the rule."},
	{StaleUncommitted, "The index differs from HEAD at the path, or there is no commit yet.", "Commit it."},
	{StaleUnstaged, "The file in the working tree is untracked, unmerged, or differs from the index.", "Stage it with git add."},
}

// Codes returns every code, sorted.
func Codes() []Code {
	list := make([]Code, len(codes))
	for i, c := range codes {
		list[i] = c.code
	}
	return list
}

// Explain returns what a code means and what to do next, false when there is no
// such code.
func Explain(c Code) (means, next string, ok bool) {
	for _, known := range codes {
		if known.code == c {
			return known.means, known.next, true
		}
	}
	return "", "", false
}

/*
Ctxptr resolves Context Pointers: references to files, sections, commits, refs,
ranges and sets of inputs that carry the identity of what they point at.

A pointer is one word:

	ctxptr:KIND:LOCATOR@[whole:]TAG:HEX:RULE[+RULE...][#TYPE[+MODIFIER...]=VALUE]

for example

	ctxptr:file:docs/SPEC.md@blake3:<64 hex>:matches_current#item=AC-010

or a JSON object with the keys authority_kind, locator, selector (optional),
identity and freshness_rule. Package resolver has the grammar.

# Use

	ctxptr mint 'docs/SPEC.md#AC-010'    print a pointer to what is there now
	ctxptr resolve "$P" && act           act only while it is still that
	ctxptr resolve --refresh "$P"        look once more, adopt one current identity
	ctxptr read "$P"                     print the verified bytes
	ctxptr diff "$P"                     show what changed since then, and in which commits
	ctxptr explain stale:identity        what a code means, what to do next
	ctxptr check                         prove every pointer and pin in the project
	ctxptr validate packet FILE          check an envelope that carries pointers

resolve, read and diff take pointers as arguments, on standard input (-), or from
where they, or the references that they are pins of, stand in a file (--at FILE:LINE).

# Records

With --format json each pointer gives one line, a record of the schema
ctxptr.resolution/v1, in input order; ctxptr schema resolution prints it. Text
is made from the same record. Standard output holds data only; everything else
goes to standard error.

What was seen of a working tree has HEAD's commit and, as index, the identity that it
had if what the index holds stood there; what was read from commits and refs has notes
where the repository records grafts or replacements, which are never applied. fix is a
command that, run at the root, supplies the proof.

A record that is stale:identity says how the bytes differ from those stated,
difference eol-only, whitespace-only or content, where the index, HEAD or a parent
of the revision still holds these at the same path. With --identical a blocked
record also lists in identical_at where else in the tracked tree the very same
bytes stand, for a file in the working tree, for a blob in the index: a whole file
by its digest, a part where its bytes are known as above. That is evidence, and
nothing of it is adopted; identical_cut says that not everything was seen.

# Differences

diff prints the record and, where the stated identity is not what stands there now,
the last commit that left the authority with it, the commits in between and a
unified diff; with --format json one object of the schema ctxptr.diff/v1 for each
pointer. The exit code is that of resolve.

Looked at are the commits of git log for the path. Where none of them has the
identity, those of every branch that leads there are, and what is found then is aside:
what is there now does not come from it. The last commit with the identity is one from
which no other of them descends, whatever the commit times say; where such stand on
parallel branches, the one with the latest commit time, of one time the one with the
lower id. The commits in between are those from which none with the identity descends,
in the order of git log. Where clocks were off by more than a thousand commits, one
from before the identity can stand among them.

A file is followed to the file of the same bytes that the commit removed, by the
likest path, else to the one removed file that shares most with it, half of the
longer one at least. A folder is not followed, and its identity, like that of a working
tree, is found only where committed files alone made it up. A shallow boundary, objects
that are not here and bounds are named in not_found, or in doubts where something
was found.

# Documents

	ctxptr check [PATH...]               prove what stands in documents, at its place there
	ctxptr pin PATH...                   give plain references an identity, in ctxptr.pins
	ctxptr unpin PATH...                 take it away
	ctxptr accept PATH...                write down what a refresh proves
	ctxptr who TARGET                    list what points at a file, section or symbol

A pointer stands anywhere in a text, in its canonical spelling. A pin is a line of
ctxptr.pins, the nearest at or above the document: its path, percent-encoded and
relative to the pins file, a space and a pointer. It belongs to the plain references
of the document with its locator and selector, and is proven at the first of them; a
pin without one is missing:reference. A relative locator counts from the pins file.

check looks at every file that is tracked or not ignored, without those that
.gitattributes mark -ctxptr or --exclude names; files that are named are always
looked at. With --changed and --staged it passes over what the changes cannot have
touched, says how much, and lists every identity that they accept, one object of the
schema ctxptr.acceptance/v1 each. What the working tree has otherwise than the index
proves nothing of what is staged: it is stale:unstaged. With --plain a plain reference
is found, or blocked as a pointer there would be; ambiguous:authority says that a path
names one thing from the document's folder and another from the root.

accept rewrites pointers alone, the innermost first, each file in one step; it leaves
what is blocked, circles, files with conflict markers and files that change meanwhile.

# Envelopes

validate checks one of the closed envelopes in which pointers travel (ctxptr
explain envelope lists them): strict JSON, its schema, content that must not stand
in it, every pointer in it, and what its parts say of each other. It reports
everything that is wrong, in order of place, each with a JSON Pointer, a code
(ctxptr explain finding) and one sentence. With --format json each file gives one
line of the schema ctxptr.validation/v1, which holds the records of its pointers.
Key names that the contract does not publish are those of ctxptr.profile/v1.

# The delivery contract

	ctxptr identify NAME ...             an identity of the review contract, from its primitives
	ctxptr receipt FILE                  prove a source sync receipt
	ctxptr route --packet FILE ...       may a Delivery Context Packet be carried on
	ctxptr normalize FILE...             what an artefact of older times names, as pointers

None of them writes, schedules or decides anything. route is warm only while what is
claimed, what git says and what the pointers prove all match the packet; it compares
the packet's branch with HEAD's, a base that is a commit id with HEAD's history
and a target that is one with HEAD's commit; --base and --target name other revisions
to compare with. receipt and normalize answer with resolution records.

# Reports

resolve, check and validate also write what continuous integration reads, with
--format:

	github    the whole text as a group of the log, and at most ten annotations a level
	gitlab    a Code Quality report
	junit     one test case a reference; what is not resolved is a failure
	markdown  a summary of at most 1 MiB
	rdjsonl   one reviewdog diagnostic a line
	sarif     SARIF 2.1.0, at most 25000 results

They are made from the records and have the exit codes of the other formats. What
stands in a pointer, a path or a document is text in each of them and can start
nothing. With check --changed the annotations of github stand at what changed and
name who points at it, since no others are shown there. What a bound cuts off is
said in the report.

# Exit codes

	0    every pointer is resolved
	1    at least one is blocked, or something was found wrong
	2    no verdict: usage, unreadable input, zero pointers, closed pipe, internal error
	3    none blocked, at least one refreshed: adopt the new pointer first
	4    route: cold: discard the packet and resolve the named authorities anew
	130  interrupted

They never depend on the output format; 2 comes before 1 before 3 before 0.

# Limits

One pointer has at most 64 KiB, a list 64 MiB and 262144 pointers, one authority
64 MiB unless --max-bytes says otherwise, one document 65536 plain references.
A search for lines that moved hashes at most 1 GiB; one for identical bytes looks
at 1 GiB and lists 1000 places; diff looks at 100000 commits (--commits), hashes
1 GiB and lists 1000 commits. What a limit cuts off is blocked as missing:limit; a
list that is too long is no verdict.

Nothing is cached or locked, and only pin, unpin and accept write. No program that
a repository's configuration names is run, and no network is used unless --network
lets a pointer of kind remote ask through git ls-remote.
*/
package main

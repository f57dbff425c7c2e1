package envelope

import (
	"errors"
	"sync"

	"ctxptr/authority"
)

// recipe is one line of the table of identities of the review contract: the
// SHA-256 of a record of the format review-identity-v1.
type recipe struct {
	name    string // of the command, and the record's label
	summary string
	fields  []field
}

// field is one field of a record, or a run of them. It can be given in several
// ways, of which exactly one must be.
type field []way

// way is one way to give a field: the primitives it needs, and what they make of
// it.
type way struct {
	needs []string
	make  func(p Primitives) ([]string, error)
}

// noFixedPoint stands where a standalone snapshot has no commit to start from.
const noFixedPoint = "no-git-fixed-point"

// recipes is the table of identities, sorted by name, made when one is asked for.
var recipes = sync.OnceValue(func() []recipe {
	// The fields that several recipes have, or that can be given in several ways.
	filesOf := field{{[]string{"files"}, fileFields}}
	pathsOf := append(setOf("paths"), way{[]string{"files"}, func(p Primitives) ([]string, error) { return unique("files", p.filePaths()) }})

	scopeHash := append(verbatim("scope_hash"), hashed("inclusive-scope", setOf("scope"))...)
	bundleHash := append(verbatim("bundle_hash"), hashed("artifact-bundle", filesOf)...)
	orderedFilesHash := append(verbatim("ordered_files_hash"), hashed("ordered-files", pathsOf)...)
	deliveryLineage := append(verbatim("lineage"), hashed("delivery-lineage", verbatim("goal"))...)
	boundsHash := append(verbatim("bounds_hash"), hashed("accepted-bounds", boundsOf(scopeHash))...)
	return []recipe{
		{"accepted-bounds", "the bounds that were accepted, with their scope", []field{verbatim("bounds_identity"), scopeHash}},
		{"artifact-bundle", "the bytes of the files under review", []field{filesOf}},
		{"delivery-lineage", "every review of one delivery goal", []field{verbatim("goal")}},
		{"delivery-run", "one review of a delivery", []field{deliveryLineage, verbatim("ordinal")}},
		{"delivery-snapshot", "the diff under review", []field{
			verbatim("locator"), verbatim("base_ref"), verbatim("fixed_point"), verbatim("head"), scopeHash, verbatim("patch_hash"),
		}},
		{"inclusive-scope", "the paths that a review covers", []field{setOf("scope")}},
		{"ordered-files", "the paths of the files under review", []field{pathsOf}},
		{"review-packet", "what the reviewers of one run are given", []field{
			verbatim("run"), verbatim("bounds_hash"), verbatim("snapshot"), verbatim("source_set_hash"),
		}},
		{"source-set", "the sources that govern a review, path and bytes", []field{filesOf}},
		{"standalone-lineage", "every review of one artifact within its bounds", []field{verbatim("locator"), boundsHash}},
		{"standalone-run", "one review of an artifact", []field{verbatim("lineage"), {{[]string{"snapshot"}, shortSnapshot}}}},
		{"standalone-snapshot", "the artifact under review", []field{
			verbatim("locator"), orderedFilesHash, scopeHash, bundleHash,
			{{nil, func(Primitives) ([]string, error) { return []string{noFixedPoint}, nil }}},
		}},
	}
})

// verbatim is a primitive that is itself the field.
func verbatim(name string) field {
	return field{{[]string{name}, func(p Primitives) ([]string, error) { return []string{p.one(name)}, nil }}}
}

// setOf is a set of texts, a field each, sorted by bytes.
func setOf(name string) field {
	return field{{[]string{name}, func(p Primitives) ([]string, error) { return p.set(name) }}}
}

// hashed is a field that is the hash of another record, computed from that
// record's own primitives.
func hashed(label string, from field) []way {
	ways := make([]way, len(from))
	for i, w := range from {
		ways[i] = way{w.needs, func(p Primitives) ([]string, error) {
			fields, err := w.make(p)
			if err != nil {
				return nil, err
			}
			return []string{authority.ReviewHash(label, fields).Hex()}, nil
		}}
	}
	return ways
}

// boundsOf is the record accepted-bounds from a bounds identity and each way to
// give a scope's hash.
func boundsOf(scope field) field {
	var f field
	for _, w := range scope {
		f = append(f, way{append([]string{"bounds_identity"}, w.needs...), func(p Primitives) ([]string, error) {
			hash, err := w.make(p)
			return append([]string{p.one("bounds_identity")}, hash...), err
		}})
	}
	return f
}

// fileFields are path and digest of each file, sorted by path.
func fileFields(p Primitives) ([]string, error) {
	fields, err := authority.ReviewFields(p.Files)
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		return nil, &PrimitiveError{"files", f.Proof}
	}
	return fields, err
}

// shortSnapshot is the part of a snapshot's hash that names a run.
func shortSnapshot(p Primitives) ([]string, error) {
	return []string{p.one("snapshot")[:snapshotDigits]}, nil
}

// snapshotDigits is how much of a snapshot's hash enters a run and a file name.
const snapshotDigits = 12

package envelope

import (
	"slices"
	"strconv"
	"strings"

	"ctxptr/authority"
)

// primitive is one line of the table of values that records are made of.
type primitive struct {
	name string // in JSON; the flag has hyphens
	many bool   // a set: one or more, each once
	help string
	form func(s string) string // what is wrong with a value, "" for nothing
}

// primitives is the table of primitives, sorted by name.
var primitives = []primitive{
	{"base_ref", false, "the `REF` that the diff is against, as the review names it", plainText},
	{"bounds_hash", false, "the accepted bounds' `HASH`", hash64},
	{"bounds_identity", false, "the accepted bounds' `IDENTITY`", plainText},
	{"bundle_hash", false, "the artifact bundle's `HASH`", hash64},
	{"files", true, "a file `PATH`; its raw bytes are hashed", plainText},
	{"fixed_point", false, "the full id of the `COMMIT` that the diff starts from", commitID},
	{"goal", false, "the delivery goal's `IDENTITY`", plainText},
	{"head", false, "the `COMMIT` that the diff ends at, its full id; or the identity of a dirty working tree", headIdentity},
	{"lineage", false, "the lineage's `HASH`", hash64},
	{"locator", false, "`WHERE` what is reviewed stands", plainText},
	{"ordered_files_hash", false, "the ordered files' `HASH`", hash64},
	{"ordinal", false, "which review of the delivery it is, a decimal `NUMBER` from 1", ordinal},
	{"patch_hash", false, "the SHA-256 `HASH` of the patch's raw bytes", hash64},
	{"paths", true, "the `PATH` of a file", plainText},
	{"run", false, "the run's `HASH`", hash64},
	{"scope", true, "a `PATH` that the review covers", plainText},
	{"scope_hash", false, "the inclusive scope's `HASH`", hash64},
	{"snapshot", false, "the snapshot's `HASH`", hash64},
	{"source_set_hash", false, "the source set's `HASH`", hash64},
}

func lookupPrimitive(name string) (primitive, bool) {
	i := slices.IndexFunc(primitives, func(p primitive) bool { return p.name == name })
	if i < 0 {
		return primitive{}, false
	}
	return primitives[i], true
}

// Param is a primitive as a command offers it.
type Param struct {
	Name string // in JSON
	Many bool   // it can be repeated
	Help string // with the value's name in back quotes
}

// Params are the primitives of all identities, sorted.
func Params() []Param {
	list := make([]Param, len(primitives))
	for i, p := range primitives {
		list[i] = Param{p.name, p.many, p.help}
	}
	return list
}

// ParamNames are the names of the primitives that an identity can be made of,
// sorted; nil for an unknown identity.
func ParamNames(recipe string) []string {
	r, ok := lookupRecipe(recipe)
	if !ok {
		return nil
	}
	return r.names()
}

// check refuses primitives that the recipe does not use or that are not of their
// form.
func (p Primitives) check(r recipe) error {
	used := r.names()
	for _, known := range primitives {
		if !p.has(known.name) {
			continue
		}
		if !slices.Contains(used, known.name) {
			return &PrimitiveError{known.name, r.name + " has no use for it; it is made of " + strings.Join(used, " ")}
		}
		if err := p.checkForm(known); err != nil {
			return err
		}
	}
	for name := range p.Values {
		if _, ok := lookupPrimitive(name); !ok || name == "files" {
			return &PrimitiveError{name, "it is no primitive of text"}
		}
	}
	return nil
}

func (p Primitives) checkForm(known primitive) error {
	values := p.Values[known.name]
	if known.name == "files" {
		values = p.filePaths()
	}
	if len(values) != 1 && !known.many || len(values) == 0 {
		return &PrimitiveError{known.name, strconv.Itoa(len(values)) + " values are given"}
	}
	for _, v := range values {
		if wrong := known.form(v); wrong != "" {
			return &PrimitiveError{known.name, wrong}
		}
	}
	for _, f := range p.Files {
		if known.name == "files" && f.Content.Tag() != authority.SHA256 {
			return &PrimitiveError{known.name, "a file's digest is no sha256"}
		}
	}
	return nil
}

// isHex reports whether s is lower-case hexadecimal of one of the lengths.
func isHex(s string, lengths ...int) bool {
	return slices.Contains(lengths, len(s)) && strings.Trim(s, "0123456789abcdef") == ""
}

func hash64(s string) string {
	if !isHex(s, 64) {
		return "it is not 64 lower-case hexadecimal digits"
	}
	return ""
}

func commitID(s string) string {
	if !isHex(s, 40, 64) {
		return "it is no full commit id: 40 or 64 lower-case hexadecimal digits"
	}
	return ""
}

// headIdentity takes a commit id, or whatever names a dirty working tree; what
// looks like a commit id must be a full one.
func headIdentity(s string) string {
	if s != "" && strings.Trim(s, "0123456789abcdefABCDEF") == "" {
		return commitID(s)
	}
	return plainText(s)
}

func ordinal(s string) string {
	n, err := strconv.ParseInt(s, 10, 54)
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != s {
		return "it is no decimal number from 1 without sign and leading zeros"
	}
	return ""
}

package authority

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"ctxptr/authority/selector"
	"ctxptr/gitref"
)

// Fault is the error of every operation of this package: why something is not
// proven.
type Fault struct {
	Code       Code
	Proof      string           // one sentence: the proof that is missing; never file content
	Offset     int              // malformed text: byte offset in the text that was parsed, else -1
	Candidates []string         // ambiguous refs and revisions: every meaning, full names or ids
	Matches    []selector.Match // ambiguous:selection: every place that fits
	Fix        []string         // argv of a command that would supply the proof, nil when there is none
	Flags      []string         // flags with which ctxptr resolve would have it, nil where none would do
	Err        error            // the cause, nil when there is none
}

func (f *Fault) Error() string { return string(f.Code) + ": " + f.Proof }

func (f *Fault) Unwrap() error { return f.Err }

func fault(code Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Proof: fmt.Sprintf(format, args...), Offset: -1}
}

// Quote makes text safe to stand in the one sentence of a Fault, and short.
func Quote(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "..."
	}
	return strconv.QuoteToASCII(s)
}

func malformedAt(code Code, offset int, format string, args ...any) *Fault {
	f := fault(code, format, args...)
	f.Offset = offset
	return f
}

// shifted moves the offset of a fault about a part of a text to the text's.
func shifted(err error, by int) error {
	f, ok := errors.AsType[*Fault](err)
	if !ok || by == 0 || f.Offset < 0 {
		return err
	}
	moved := *f
	moved.Offset += by
	return &moved
}

// within says of a fault in which other repository than the root's it is. A
// command that would repair it here would repair the root's.
func within(err error, where string) error {
	f, ok := errors.AsType[*Fault](err)
	if !ok {
		return err
	}
	placed := *f
	placed.Proof, placed.Fix, placed.Flags = "in "+where+": "+f.Proof, nil, nil
	return &placed
}

// gitCodes gives each fault of gitref its code.
var gitCodes = [...]Code{
	gitref.NoRepository:      MissingRepository,
	gitref.Unsupported:       MissingUnsupportedRepository,
	gitref.NotOwned:          MissingOwnership,
	gitref.Denied:            MissingPermission,
	gitref.Corrupt:           MissingCorruptStore,
	gitref.BadRevision:       MalformedLocator,
	gitref.NoRevision:        MissingRevision,
	gitref.AmbiguousRevision: AmbiguousRevision,
	gitref.NoRef:             MissingAuthority,
	gitref.AmbiguousRef:      AmbiguousRef,
	gitref.BrokenRef:         MissingCorruptStore,
	gitref.NoObject:          MissingObject,
	gitref.NotLocal:          MissingObjectNotLocal,
	gitref.WrongType:         MissingNotACommit,
	gitref.NoPath:            MissingAuthority,
	gitref.InSubmodule:       MissingRepository, // of what lies there the submodule's own answers
	gitref.Shallow:           MissingHistoryShallow,
	gitref.OverLimit:         MissingLimit,
	gitref.UnknownConversion: MissingConversionUnknown,
	gitref.Irregular:         MissingNotRegular,
	gitref.Changed:           AmbiguousObservation,
	gitref.BadURL:            MalformedLocator,
	gitref.Unreachable:       MissingNetwork,
}

// gitFault turns an error of gitref into a Fault. An error of no known type is
// a bound that was reached (a context's end) or a refusal of the system.
func gitFault(err error) *Fault {
	if e, ok := errors.AsType[*gitref.Error](err); ok {
		shown := *e
		shown.Subject = subject(e.Subject)
		f := fault(gitCodes[e.Fault], "%s", shown.Error())
		f.Candidates, f.Err = e.Candidates, err
		switch e.Fault {
		case gitref.Shallow:
			f.Fix = deepen()
		case gitref.NotLocal:
			f.Fix = fetchObject(e.Subject)
		}
		return f
	}
	return systemFault(err, "the repository")
}

// subject is what an error of gitref is about as it can stand in a sentence: as it is,
// or quoted where it is long or holds more than printable ASCII.
func subject(s string) string {
	const most = 200
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "..."
	}
	if quoted := strconv.QuoteToASCII(s); quoted != `"`+s+`"` {
		return quoted
	}
	return s
}

// systemFault turns an error of the operating system or of a context into a
// Fault about what. The error's own text can hold absolute paths and stays
// inside Err.
func systemFault(err error, what string) *Fault {
	var f *Fault
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		f = fault(MissingLimit, "the time limit ended before %s was read", what)
	case errors.Is(err, context.Canceled):
		f = fault(MissingLimit, "the run was interrupted before %s was read", what)
	case errors.Is(err, fs.ErrPermission):
		f = fault(MissingPermission, "%s cannot be read: permission denied", what)
	case errors.Is(err, fs.ErrNotExist):
		f = fault(MissingAuthority, "%s does not exist", what)
	default:
		f = fault(MissingPermission, "%s cannot be read", what)
	}
	f.Err = err
	return f
}

// overLimit is the fault of one authority that has more bytes than may be read.
func overLimit(what string, size, limit int64) *Fault {
	f := fault(MissingLimit, "%s has %d bytes, more than the limit of %d (--max-bytes)", what, size, limit)
	f.Flags = []string{"--max-bytes", strconv.FormatInt(size, 10)}
	return f
}

// ContextFault turns the end of a context into a Fault.
func ContextFault(err error) *Fault { return systemFault(err, "the authority") }

// selectorCodes gives each fault of the selector package its code.
var selectorCodes = [...]Code{
	selector.Malformed:   MalformedSelector,
	selector.NoMatch:     MissingSelection,
	selector.ManyMatches: AmbiguousSelection,
	selector.BadContent:  MalformedAuthority,
	selector.Unsupported: MissingUnsupportedSelector,
	selector.OverLimit:   MissingLimit,
}

// SelectorFault turns an error of the selector package into a Fault.
func SelectorFault(err error) *Fault {
	e, ok := errors.AsType[*selector.Error](err)
	if !ok {
		return systemFault(err, "the selection")
	}
	f := fault(selectorCodes[e.Fault], "%s", e.Proof)
	f.Matches, f.Err = e.Matches, err
	switch e.Fault {
	case selector.Malformed:
		f.Offset = e.Offset
	case selector.BadContent:
		f.Proof = fmt.Sprintf("%s (at byte %d)", e.Proof, e.Offset)
	}
	return f
}

// asFault makes whatever went wrong a *Fault.
func asFault(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	return systemFault(err, "the file")
}

package documents

import (
	"context"
	"maps"
	"slices"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/pins"
)

// UnpinnedSchema names the format of an Unpinned.
const UnpinnedSchema = "ctxptr.unpinned/v1"

// Unpinned is a pin that was taken away.
type Unpinned struct {
	Schema      string `json:"schema"`
	Document    string `json:"document,omitempty"`     // that the pin belonged to, relative to the root
	DocumentURI string `json:"document_uri,omitempty"` // percent-encoded, when the path is no UTF-8
	Pointer     string `json:"pointer"`                // what it stated

	pin pins.Pin
}

func unpinned(pin pins.Pin) Unpinned {
	u := Unpinned{Schema: UnpinnedSchema, Pointer: pin.Pointer.String(), pin: pin}
	u.Document, u.DocumentURI = resolver.PathInJSON(pin.Document)
	return u
}

// Path is the document's path relative to the root, whatever its bytes.
func (u Unpinned) Path() string { return u.pin.Document }

// Name is how text output names what the pin was about.
func (u Unpinned) Name() string { return u.pin.Pointer.Short() }

// Unpin takes the pins of documents away; with Only, those of one target. The
// error is a *authority.Fault.
func Unpin(ctx context.Context, w *authority.Workspace, documents []string, o PinOptions) ([]Unpinned, error) {
	names, err := pinsFilesOf(ctx, w, documents)
	if err != nil {
		return nil, err
	}
	edits := make([]*pinsEdit, len(names)) // all of them before any is written
	for i, name := range names {
		var fault *authority.Fault
		if edits[i], fault = openPins(ctx, w, name); fault != nil {
			return nil, fault
		}
	}
	var gone []Unpinned
	for _, edit := range edits {
		taken := edit.take(documents, o.Only)
		gone = append(gone, taken...)
		if len(taken) == 0 || o.DryRun {
			continue
		}
		if err := edit.write(ctx, w); err != nil {
			return gone, err
		}
	}
	slices.SortStableFunc(gone, func(a, b Unpinned) int { return strings.Compare(a.Path(), b.Path()) })
	return gone, nil
}

// take removes the pins of documents from the file.
func (e *pinsEdit) take(documents []string, only *Target) (taken []Unpinned) {
	e.file.Pins = slices.DeleteFunc(e.file.Pins, func(pin pins.Pin) bool {
		of := slices.ContainsFunc(documents, func(d string) bool { return within(d, pin.Document) })
		if !of || only != nil && !only.holds(pin.Pointer, e.file.Path) {
			return false
		}
		taken = append(taken, unpinned(pin))
		return true
	})
	return taken
}

// pinsFilesOf lists the pins files that hold, or can hold, pins of documents.
func pinsFilesOf(ctx context.Context, w *authority.Workspace, documents []string) ([]string, error) {
	found := map[string]bool{}
	for _, document := range documents {
		for _, name := range pins.Above(document) {
			if stands(w.ReadDocument(ctx, name)) {
				found[name] = true
			}
		}
		if !w.IsFolder(document) {
			continue
		}
		scan, err := ScanDocuments(ctx, w, Scope{Paths: []string{document}})
		if err != nil {
			return nil, err
		}
		for name, file := range scan.scanner.pinned {
			if file != nil || scan.scanner.sealed[name] {
				found[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/documents"
)

// itemAt finds the one pointer that stands at FILE:LINE[:COLUMN], or the pins of the
// one reference that stands there.
func (a *app) itemAt(ctx context.Context, w *authority.Workspace, at string) ([]resolver.Item, error) {
	place, err := parsePlace(at)
	if err != nil {
		return nil, err
	}
	if place.Path, err = a.inRoot(w, place.Path); err != nil {
		return nil, err
	}
	line, err := authority.ReadLine(ctx, w, place.Path, place.Line)
	if err != nil {
		return nil, err
	}
	standing := pointersAt(line, place)
	if len(standing) == 0 {
		if standing, err = pinsAt(ctx, w, place); err != nil {
			return nil, err
		}
	}
	if len(standing) == 0 {
		return nil, nothingAt(ctx, w, at, line, place)
	}
	if n, list := columns(standing); n > 1 {
		return nil, usagef("%d pointers stand on line %d: give the column, %s", n, place.Line, list)
	}
	return standing, nil
}

// pointersAt finds the pointers in the text of a line, of which the place is in one
// where it has a column.
func pointersAt(line string, place resolver.Place) (standing []resolver.Item) {
	for _, f := range resolver.FindInLine(line) {
		if place.Column == 0 || f.Column <= place.Column && place.Column < f.Column+len(f.Text) {
			here := resolver.Place{Path: place.Path, Line: place.Line, Column: f.Column}
			standing = append(standing, resolver.Item{Text: f.Text, InText: true, At: &here, From: place.Path})
		}
	}
	return standing
}

// nothingAt says that nothing stands at a place, and at which columns of its line
// something does.
func nothingAt(ctx context.Context, w *authority.Workspace, at, line string, place resolver.Place) error {
	place.Column = 0
	pinned, err := pinsAt(ctx, w, place)
	if err != nil {
		return err
	}
	elsewhere := ""
	if n, list := columns(append(pointersAt(line, place), pinned...)); n > 0 {
		elsewhere = fmt.Sprintf("; on that line one does in column %s", list)
	}
	return fmt.Errorf("no pointer stands at %s%s", shown(at), elsewhere)
}

// pinsAt finds the pins of the references that stand at a place, where check has them.
func pinsAt(ctx context.Context, w *authority.Workspace, place resolver.Place) ([]resolver.Item, error) {
	scan, err := documents.ScanDocuments(ctx, w, documents.Scope{Paths: []string{place.Path}})
	if err != nil {
		return nil, err
	}
	var standing []resolver.Item
	for _, e := range scan.Entries {
		if e.Form != documents.FormPin || e.Orphan != "" {
			continue
		}
		for _, at := range append([]resolver.Place{e.At}, e.Others...) {
			within := place.Column >= at.Column && place.Column < at.Column+len(e.Plain.Text)
			if at.Path == place.Path && at.Line == place.Line && (place.Column == 0 || within) {
				item := e.Item()
				item.At = &at
				standing = append(standing, item)
			}
		}
	}
	return standing, nil
}

// columns returns in how many places of their line items stand, and lists them.
func columns(items []resolver.Item) (int, string) {
	at := make([]int, len(items))
	for i, item := range items {
		at[i] = item.At.Column
	}
	slices.Sort(at)
	at = slices.Compact(at)
	texts := make([]string, len(at))
	for i, column := range at {
		texts[i] = strconv.Itoa(column)
	}
	return len(at), strings.Join(texts, " or ")
}

// parsePlace parses FILE:LINE[:COLUMN], from the end, since a file's name may
// hold colons.
func parsePlace(text string) (resolver.Place, error) {
	file, last, ok := cutNumber(text)
	if !ok {
		return resolver.Place{}, usagef("--at takes FILE:LINE or FILE:LINE:COLUMN, counted from 1")
	}
	if shorter, line, ok := cutNumber(file); ok {
		return resolver.Place{Path: shorter, Line: line, Column: last}, nil
	}
	return resolver.Place{Path: file, Line: last}, nil
}

func cutNumber(text string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i <= 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(text[i+1:])
	return text[:i], n, err == nil && n > 0
}

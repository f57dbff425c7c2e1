package main

import (
	"maps"
	"slices"

	"ctxptr/authority"
	"ctxptr/resolver/documents"
	"ctxptr/resolver/report"
)

// checkReport is what check found, as the formats for continuous integration render
// it. changes is nil where all was checked.
func checkReport(result *documents.Result, changes *authority.Changes) report.Report {
	r := report.FromRecords(result.Records)
	r.Skipped = result.Skipped
	for _, a := range result.Accepted {
		accepted := report.Accepted{Place: &a.At, Subject: a.Name()}
		if a.Added != nil && a.Removed != nil {
			accepted.Added, accepted.Removed = *a.Added, *a.Removed
		}
		r.Accepted = append(r.Accepted, accepted)
	}
	if changes != nil {
		r.Changed = slices.Sorted(maps.Keys(changes.Paths))
	}
	return r
}

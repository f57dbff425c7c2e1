package main

import (
	"path/filepath"

	"ctxptr/authority"
	"ctxptr/resolver"
	"ctxptr/resolver/envelope"
	"ctxptr/resolver/report"
)

// validationReport is what validate found, as the formats for continuous integration
// render it. places are the paths of the files relative to the root, "" for one that
// lies outside or for which no root is known.
func validationReport(results []*envelope.Result, places []string) report.Report {
	var records []*resolver.Record
	var defects []report.Finding
	for i, r := range results {
		records = append(records, r.Records...)
		place := places[i]
		if place == "" {
			place = filepath.ToSlash(r.Name())
		}
		for _, f := range r.Findings {
			defects = append(defects, defect(r, f, place))
		}
	}
	all := report.FromRecords(records)
	all.Defects = len(defects)
	all.Findings = append(defects, all.Findings...)
	return all
}

// defect is one thing that is wrong with an envelope.
func defect(r *envelope.Result, f envelope.Finding, place string) report.Finding {
	means, next, _ := envelope.Explain(f.Code)
	found := report.Finding{
		Code: authority.Code(f.Code), Level: report.Error, Subject: r.Kind + " " + f.Pointer, Message: f.Message,
		Detail: findingText(r.Name(), f), Place: &resolver.Place{Path: place, Line: f.Line, Column: f.Column},
		Means: means, Next: next,
	}
	if f.Pointer == "" {
		found.Subject = r.Kind
	}
	if f.Advice {
		found.Level = report.Note
	}
	return found
}

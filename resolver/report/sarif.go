package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ctxptr/authority"
)

// maxResults is how many results code scanning takes of a run; a file with more is
// refused whole.
const maxResults = 25000

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string        `json:"id"`
	ShortDescription sarifText     `json:"shortDescription"`
	FullDescription  sarifText     `json:"fullDescription"`
	Help             sarifText     `json:"help"`
	Default          sarifSettings `json:"defaultConfiguration"`
}

type sarifSettings struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   sarifProperties   `json:"properties"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

// sarifRegion has no columns: SARIF counts characters, and a place counts bytes.
type sarifRegion struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine,omitempty"`
}

type sarifProperties struct {
	Pointer string   `json:"pointer,omitempty"`
	Episode string   `json:"episode,omitempty"`
	Fix     []string `json:"fix,omitempty"`
}

// renderSARIF writes one run. Its fingerprints are of a name of its own: the step
// that uploads to code scanning adds primaryLocationLineHash, which is of the
// line's text, and warns where another is there.
func renderSARIF(b *bytes.Buffer, r Report) error {
	names := fingerprints(r.Findings)
	order := make([]int, len(r.Findings))
	for i := range order {
		order[i] = i
	}
	run := sarifRun{Invocations: []sarifInvocation{{Successful: true}}}
	if len(order) > maxResults {
		// What is cut off is what is least bad.
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(r.Findings[y].Level, r.Findings[x].Level) })
		run.Invocations[0].Notifications = []sarifNotification{{"warning", sarifText{
			fmt.Sprintf("%d of %d findings are left out: code scanning takes %d", len(order)-maxResults, len(order), maxResults)}}}
		order = order[:maxResults]
	}
	rules, index := sarifRules(r.Findings)
	run.Tool.Driver = sarifDriver{"ctxptr", r.Version, rules}
	run.Results = make([]sarifResult, len(order))
	for i, n := range order {
		run.Results[i] = r.Findings[n].sarif(index, names[n])
	}
	return encode(b, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func (f Finding) sarif(index map[authority.Code]int, fingerprint string) sarifResult {
	path, first, last, _ := f.file()
	// Code scanning takes no result without a line.
	at := sarifPhysical{sarifArtifact{uri(path), "%SRCROOT%"}, sarifRegion{max(1, first), last}}
	return sarifResult{
		RuleID: string(f.Code), RuleIndex: index[f.Code], Level: sarifLevel(f.Level),
		Message:      sarifText{sarifMessage(f.Subject + ": " + f.Message)},
		Locations:    []sarifLocation{{at}},
		Fingerprints: map[string]string{"ctxptrPointer/v1": fingerprint},
		Properties:   sarifProperties{f.Pointer, f.Episode, f.Fix},
	}
}

// sarifRules are the rules of the codes that occur, sorted, and where each stands.
func sarifRules(findings []Finding) ([]sarifRule, map[authority.Code]int) {
	worst := map[authority.Code]Finding{}
	for _, f := range findings {
		if known, ok := worst[f.Code]; !ok || f.Level > known.Level {
			worst[f.Code] = f
		}
	}
	rules := make([]sarifRule, 0, len(worst))
	for code, f := range worst {
		means, next := f.explain()
		rules = append(rules, sarifRule{
			ID: string(code), ShortDescription: sarifText{means}, FullDescription: sarifText{means},
			Help: sarifText{means + "\n\nNext: " + next}, Default: sarifSettings{sarifLevel(f.Level)},
		})
	}
	slices.SortFunc(rules, func(a, b sarifRule) int { return cmp.Compare(a.ID, b.ID) })
	index := make(map[authority.Code]int, len(rules))
	for i, rule := range rules {
		index[authority.Code(rule.ID)] = i
	}
	return rules, index
}

// explain is what the finding's code means and what to do next.
func (f Finding) explain() (means, next string) {
	switch {
	case f.Means != "":
		return f.Means, f.Next
	case f.Code == Refreshed:
		return "The pointer was refreshed: exactly one current identity is proven.", "Adopt the new pointer, then act."
	}
	if means, next, ok := authority.Explain(f.Code); ok {
		return means, next
	}
	return "The reference does not hold: " + string(f.Code) + ".", "Read the record; do not act on the reference."
}

// sarifMessage escapes what a viewer would take for a link: [text](destination).
func sarifMessage(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s)
}

func sarifLevel(l Level) string {
	switch l {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "note"
}

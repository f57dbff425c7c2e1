package report

import "bytes"

// gitlabIssue is one entry of a Code Quality report.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end,omitempty"`
}

// renderGitLab writes one JSON array. A finding without a file is shown at the
// root, on line 1: an entry must have a place.
func renderGitLab(b *bytes.Buffer, r Report) error {
	names := fingerprints(r.Findings)
	issues := make([]gitlabIssue, len(r.Findings))
	for i, f := range r.Findings {
		issues[i] = gitlabIssue{
			Description: f.Subject + ": " + f.Message, CheckName: string(f.Code),
			Fingerprint: names[i], Severity: gitlabSeverity(f.Level),
		}
		path, first, last, _ := f.file()
		if path == "" {
			path = "."
		}
		issues[i].Location = gitlabLocation{pathText(path), gitlabLines{max(1, first), last}}
	}
	return encode(b, issues)
}

func gitlabSeverity(l Level) string {
	switch l {
	case Error:
		return "major"
	case Warning:
		return "minor"
	}
	return "info"
}

package report

import "bytes"

// rdDiagnostic is one line of the Reviewdog Diagnostic Format.
type rdDiagnostic struct {
	Message        string     `json:"message"`
	Location       rdLocation `json:"location"`
	Severity       string     `json:"severity"`
	Source         rdSource   `json:"source"`
	Code           rdCode     `json:"code"`
	OriginalOutput string     `json:"original_output,omitempty"`
}

type rdLocation struct {
	Path  string   `json:"path"`
	Range *rdRange `json:"range,omitempty"`
}

type rdRange struct {
	Start rdPosition  `json:"start"`
	End   *rdPosition `json:"end,omitempty"`
}

// rdPosition counts from 1, the column in bytes of UTF-8.
type rdPosition struct {
	Line   int `json:"line"`
	Column int `json:"column,omitempty"`
}

type rdSource struct {
	Name string `json:"name"`
}

type rdCode struct {
	Value string `json:"value"`
}

// maxOriginal keeps a line below 64 KiB, at which reviewdog stops reading without
// a word: escaping at most doubles it.
const maxOriginal = 16 << 10

// renderRDJSONL writes one diagnostic a line.
func renderRDJSONL(b *bytes.Buffer, r Report) error {
	for _, f := range r.Findings {
		path, first, last, column := f.file()
		d := rdDiagnostic{
			Message: f.Subject + ": " + f.Message, Location: rdLocation{Path: pathText(path)},
			Severity: rdSeverity(f.Level), Source: rdSource{"ctxptr"}, Code: rdCode{string(f.Code)},
			OriginalOutput: cutLines(f.Detail, maxOriginal),
		}
		if first > 0 {
			d.Location.Range = &rdRange{Start: rdPosition{first, column}}
			if last > first {
				d.Location.Range.End = &rdPosition{Line: last}
			}
		}
		if err := encode(b, d); err != nil {
			return err
		}
	}
	return nil
}

func rdSeverity(l Level) string {
	switch l {
	case Error:
		return "ERROR"
	case Warning:
		return "WARNING"
	}
	return "INFO"
}

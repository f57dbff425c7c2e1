package reference

import "strings"

// placeholderMarks stand in no path that means itself.
var placeholderMarks = []string{"{", "<", "...", "…", "###", "$", "path/to", "YYYY", "XXX", "NNN", "*"}

// isPlaceholder reports whether a path or destination holds a part that is to be
// filled in: {{TASK_ID}}, {name}, <path>, $DIR, path/to/…, [###-feature],
// [FEATURE], YYYY-MM-DD, or an ellipsis.
func isPlaceholder(text string) bool {
	for _, m := range placeholderMarks {
		if strings.Contains(text, m) {
			return true
		}
	}
	return hasCapitalsInBrackets(text)
}

// hasCapitalsInBrackets reports whether text has [FEATURE] in it. Brackets alone
// say nothing: app/[slug]/page.tsx is a path.
func hasCapitalsInBrackets(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "[")
		if !found {
			return false
		}
		inner, _, closed := strings.Cut(rest, "]")
		if closed && len(inner) > 1 && inner == strings.ToUpper(inner) && inner != strings.ToLower(inner) {
			return true
		}
		text = rest
	}
}

package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"ctxptr/authority"
)

// mostAnnotations is how many annotations of one level GitHub keeps of a step.
const mostAnnotations = 10

// renderGitHub writes workflow commands. The runner takes a command at the start
// of a line (::name …::), and in its old form (##[name …]) anywhere in one. So all
// text stands between a command that stops commands and its token, and whatever
// stands in a command is escaped.
func renderGitHub(b *bytes.Buffer, r Report) error {
	text := r.whole()
	token := guard(text)
	fmt.Fprintf(b, "::group::%s\n", commandData("ctxptr: "+r.Summary()))
	fmt.Fprintf(b, "::stop-commands::%s\n%s::%s::\n::endgroup::\n", token, text, token)
	list := r.annotations()
	for _, level := range []Level{Error, Warning, Note} {
		writeAnnotations(b, level, list)
	}
	return nil
}

// guard is a token that does not stand in the text: its digest, which nobody can
// write into the text that it is of.
func guard(text string) string {
	return "ctxptr-" + authority.BLAKE3Sum([]byte(text)).Hex()
}

// annotation is a message at a place of a file.
type annotation struct {
	level               Level
	path                string
	first, last, column int // 0 where unknown
	title, message      string
}

func (r Report) annotations() []annotation {
	list := place(r.Findings, r.Changed)
	for _, a := range r.Accepted {
		note := annotation{level: Note, title: "accepted", message: a.String()}
		if a.Place != nil {
			note.path, note.first, note.last = a.Place.Path, a.Place.Line, a.Place.Line
		}
		list = append(list, note)
	}
	return list
}

func (f Finding) annotation() annotation {
	a := annotation{level: f.Level, title: string(f.Code) + " " + f.Subject, message: f.Message}
	a.path, a.first, a.last, a.column = f.file()
	if f.Level == Error {
		a.message += ": do not act on it; the log has the record to return"
	}
	return a
}

// place makes one annotation for each changed range of an authority, and one for
// each finding whose authority is not changed, in the order of the findings.
func place(findings []Finding, changed []string) []annotation {
	touched := map[string]bool{}
	for _, path := range changed {
		touched[path] = true
	}
	groups := map[string][]Finding{}
	var order []string
	for i, f := range findings {
		key := strconv.Itoa(i)
		if touched[f.Authority.Path] {
			key = fmt.Sprint(linesOf(f.Authority), f.Authority.Path)
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], f)
	}
	var list []annotation
	for _, key := range order {
		if group := groups[key]; touched[group[0].Authority.Path] {
			list = append(list, depended(group))
		} else {
			list = append(list, group[0].annotation())
		}
	}
	return list
}

func linesOf(a Authority) [2]int {
	if a.Lines == nil {
		return [2]int{}
	}
	return *a.Lines
}

// maxDependents is how many referring places one annotation names.
const maxDependents = 20

// depended is the annotation of an authority range: who points at it, and what is
// wrong there.
func depended(findings []Finding) annotation {
	at := findings[0].Authority
	lines := linesOf(at)
	a := annotation{path: at.Path, first: lines[0], last: lines[1], title: Counted(len(findings), "pointer") + " to this no longer hold"}
	if len(findings) == 1 {
		a.title = "1 pointer to this no longer holds"
	}
	var who []string
	for i, f := range findings {
		a.level = max(a.level, f.Level)
		if i < maxDependents {
			who = append(who, strings.TrimLeft(fmt.Sprintf("%s %s %s", cut(PlaceText(f.Place), maxSubject), f.Code, f.Subject), " "))
		}
	}
	if more := len(findings) - maxDependents; more > 0 {
		who = append(who, fmt.Sprintf("and %d more", more))
	}
	a.message = strings.Join(who, "\n")
	return a
}

// writeAnnotations writes those of one level, at most as many as are kept: the
// last then says how many more there are.
func writeAnnotations(b *bytes.Buffer, level Level, all []annotation) {
	var list []annotation
	for _, a := range all {
		if a.level == level {
			list = append(list, a)
		}
	}
	if len(list) > mostAnnotations {
		more := len(list) - mostAnnotations + 1
		list = append(list[:mostAnnotations-1:mostAnnotations-1], annotation{
			level: level, title: fmt.Sprintf("%d more", more), message: "the log of this step has all of them",
		})
	}
	for _, a := range list {
		a.write(b)
	}
}

func (a annotation) write(b *bytes.Buffer) {

	var properties []string
	if a.path != "" {
		properties = append(properties, "file="+commandProperty(pathText(a.path)))
	}
	if a.path != "" && a.first > 0 {
		properties = append(properties, fmt.Sprintf("line=%d,endLine=%d", a.first, a.last))
		if a.column > 0 {
			properties = append(properties, fmt.Sprintf("col=%d", a.column))
		}
	}
	properties = append(properties, "title="+commandProperty(a.title))
	fmt.Fprintf(b, "::%s %s::%s\n", githubLevel(a.level), strings.Join(properties, ","), commandData(a.message))
}

func githubLevel(l Level) string {
	switch l {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "notice"
}

// commandData escapes what stands behind a command.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// commandProperty escapes what stands as a property of a command.
func commandProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

package envelope

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first needed, not
// at every start of the program.
type pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}

package tables

import "ctxptr/authority/selector/symbols"

// Of returns the table of a language, nil where there is none. It is built when
// asked for.
func Of(language string) *Language {
	switch language {
	case symbols.Python:
		return python()
	}
	return nil
}

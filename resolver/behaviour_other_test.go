//go:build !unix

package resolver

import "errors"

func stepFIFO(*behaviour, string, []string) error { return errors.ErrUnsupported }

func stepSocket(*behaviour, string, []string) error { return errors.ErrUnsupported }

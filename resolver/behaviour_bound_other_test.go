//go:build !linux

package resolver

import "errors"

func bound(func()) error {
	return errors.New("run the tests as an ordinary user: modes do not bind a superuser")
}

//go:build !amd64

package cpuid

func detect() (has [features]bool) { return has }

//go:build !linux

package authority

func preferHugePages([]byte) {}

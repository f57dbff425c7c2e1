//go:build !windows

package selector

const companionName = "ctxptr-symbols"

// Package cpuid stands in for github.com/klauspost/cpuid/v2, of which
// github.com/zeebo/blake3 and lukechampine.com/blake3 ask three questions. That
// package reads everything about the processor at start-up, with dozens of CPUID
// instructions; a virtual machine traps each of them, which took a fifth of the
// time of a whole run that resolves one pointer. golang.org/x/sys/cpu answers the
// three.
package cpuid

import "golang.org/x/sys/cpu"

// FeatureID names a processor feature.
type FeatureID int

// The features that can be asked for. SSE4 is SSE 4.1.
const (
	AVX2 FeatureID = iota
	SSE4
	AVX512F
)

// CPUInfo answers for the processor that this process runs on.
type CPUInfo struct{}

// CPU is the processor.
var CPU CPUInfo

// Has reports whether the processor has the feature and the operating system
// keeps its registers.
func (CPUInfo) Has(id FeatureID) bool {
	switch id {
	case AVX2:
		return cpu.X86.HasAVX2
	case SSE4:
		return cpu.X86.HasSSE41
	case AVX512F:
		return cpu.X86.HasAVX512F
	}
	return false
}

// Supports reports whether Has holds of all of them.
func (c CPUInfo) Supports(ids ...FeatureID) bool {
	for _, id := range ids {
		if !c.Has(id) {
			return false
		}
	}
	return true
}

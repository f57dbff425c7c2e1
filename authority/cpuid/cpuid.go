// Package cpuid stands in for github.com/klauspost/cpuid/v2, of which
// github.com/zeebo/blake3 asks two questions. That package reads everything
// about the processor at start-up, with dozens of CPUID instructions; a virtual
// machine traps each of them, which took a fifth of the time of a whole run
// that resolves one pointer. golang.org/x/sys/cpu answers the two.
package cpuid

import "golang.org/x/sys/cpu"

// FeatureID names a processor feature.
type FeatureID int

// The features that can be asked for. SSE4 is SSE 4.1.
const (
	AVX2 FeatureID = iota
	SSE4
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
	}
	return false
}

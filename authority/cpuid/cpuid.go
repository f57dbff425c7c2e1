// Package cpuid stands in for github.com/klauspost/cpuid/v2, of which
// github.com/zeebo/blake3 and lukechampine.com/blake3 ask three questions. That
// package reads everything about the processor at start-up, with dozens of CPUID
// instructions. A virtual machine traps each of them: they took a fifth of the time
// of a whole run that resolves one pointer. The three answers take two
// (golang.org/x/sys/cpu, which has them too, takes seven).
package cpuid

// FeatureID names a processor feature.
type FeatureID int

// The features that can be asked for. SSE4 is SSE 4.1.
const (
	AVX2 FeatureID = iota
	SSE4
	AVX512F

	features
)

// CPUInfo answers for the processor that this process runs on.
type CPUInfo struct{ has [features]bool }

// CPU is the processor.
var CPU = CPUInfo{detect()}

// Has reports whether the processor has the feature and the operating system
// keeps its registers.
func (c CPUInfo) Has(id FeatureID) bool { return id >= 0 && id < features && c.has[id] }

// Supports reports whether Has holds of all of them.
func (c CPUInfo) Supports(ids ...FeatureID) bool {
	for _, id := range ids {
		if !c.Has(id) {
			return false
		}
	}
	return true
}

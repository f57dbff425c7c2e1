package cpuid

// The bits of CPUID and XCR0 that are looked at: Intel 64 and IA-32 Architectures
// Software Developer's Manual, volume 2 (CPUID) and volume 1, chapter 13 (XCR0).
const (
	leaf1SSE41   = 1 << 19 // ECX
	leaf1OSXSAVE = 1 << 27 // ECX
	leaf7AVX2    = 1 << 5  // EBX
	leaf7AVX512F = 1 << 16 // EBX

	xcr0AVX    = 1<<1 | 1<<2                  // the system keeps XMM and YMM
	xcr0AVX512 = xcr0AVX | 1<<5 | 1<<6 | 1<<7 // and the opmasks and ZMM
)

// cpuid returns EBX and ECX of a leaf, of its first subleaf.
func cpuid(leaf uint32) (ebx, ecx uint32)

// xgetbv returns the lower half of XCR0. It needs OSXSAVE.
func xgetbv() uint32

func detect() (has [features]bool) {
	_, leaf1 := cpuid(1)
	has[SSE4] = leaf1&leaf1SSE41 != 0
	if leaf1&leaf1OSXSAVE == 0 {
		return has
	}
	// A processor with XSAVE has leaf 13, and so leaf 7.
	leaf7, _ := cpuid(7)
	kept := xgetbv()
	has[AVX2] = leaf7&leaf7AVX2 != 0 && kept&xcr0AVX == xcr0AVX
	has[AVX512F] = leaf7&leaf7AVX512F != 0 && kept&xcr0AVX512 == xcr0AVX512
	return has
}

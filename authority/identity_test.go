package authority

import (
	"os"
	"runtime"
	"testing"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"
)

// pattern is the input of the official BLAKE3 test vectors: bytes that count
// from 0 to 250 and over again.
func pattern(n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i % 251)
	}
	return data
}

// TestBLAKE3 holds the digest against the official vectors (BLAKE3-team/BLAKE3,
// test_vectors.json) at the lengths where the vectorised code takes over.
func TestBLAKE3(t *testing.T) {
	for length, want := range map[int]string{
		0:      "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
		1:      "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
		1023:   "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11",
		1024:   "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7",
		1025:   "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
		2048:   "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a",
		8192:   "aae792484c8efe4f19e2ca7d371d8c467ffb10748d8a5a1ae579948f718a2a63",
		8193:   "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b",
		102400: "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085",
	} {
		if got := BLAKE3Sum(pattern(length)).Hex(); got != want {
			t.Errorf("%d bytes: got %s, want %s", length, got, want)
		}
		h := NewHash()
		h.Write(pattern(length))
		if got := h.Identity().Hex(); got != want {
			t.Errorf("%d bytes, written: got %s, want %s", length, got, want)
		}
	}
}

// TestVectorisedBLAKE3 fails where the processor is known to have AVX2 and the
// digest would be computed without it: CTXPTR_EXPECT_AVX2 says so, and
// CTXPTR_EXPECT_AVX512 the same of AVX-512; scripts/check sets them from what the
// system reports.
func TestVectorisedBLAKE3(t *testing.T) {
	for name, feature := range map[string]cpuid.FeatureID{"CTXPTR_EXPECT_AVX2": cpuid.AVX2, "CTXPTR_EXPECT_AVX512": cpuid.AVX512F} {
		if os.Getenv(name) != "" && !cpuid.CPU.Supports(feature) {
			t.Errorf("%s: the vectors are there on %s and not used", name, runtime.GOARCH)
		}
	}
}

// TestProcessorFeatures holds our own reading of the processor against another.
func TestProcessorFeatures(t *testing.T) {
	for id, want := range map[cpuid.FeatureID]bool{
		cpuid.SSE4: cpu.X86.HasSSE41, cpuid.AVX2: cpu.X86.HasAVX2, cpuid.AVX512F: cpu.X86.HasAVX512F,
	} {
		if got := cpuid.CPU.Has(id); got != want {
			t.Errorf("feature %d: %v, want %v", id, got, want)
		}
	}
}

func TestIdentityRoundTrip(t *testing.T) {
	for _, e := range tags {
		for _, size := range e.sizes {
			id := Identity{tag: e.tag, size: uint8(size / 2)}
			copy(id.sum[:id.size], pattern(200)[150:])
			whole := id
			whole.whole = true
			for _, id := range []Identity{id, whole} {
				again, err := ParseIdentity(id.String())
				if err != nil || again != id {
					t.Errorf("%s: %v, %v", id, again, err)
				}
			}
		}
	}
}

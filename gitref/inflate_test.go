package gitref

import (
	"bytes"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"os"
	"testing"
)

func deflate(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// samples are bodies of every kind of statistics.
func samples(t testing.TB) [][]byte {
	rnd := rand.New(rand.NewPCG(3, 4))
	source, err := os.ReadFile("inflate.go")
	if err != nil {
		t.Fatal(err)
	}
	all := [][]byte{nil, {0}, []byte("a"), []byte("abc"), source, bytes.Repeat([]byte{'x'}, 100000), bytes.Repeat([]byte("ab"), 70000)}
	for _, n := range []int{1, 100, 65535, 65536, 200000} {
		noise, skewed := make([]byte, n), make([]byte, n)
		for i := range noise {
			noise[i] = byte(rnd.Uint32())
			// Steep odds make for codes of the longest lengths.
			skewed[i] = byte(rnd.ExpFloat64() * 12)
		}
		all = append(all, noise, skewed, append(noise, skewed...))
	}
	return all
}

func TestInflate(t *testing.T) {
	for i, want := range samples(t) {
		for level := zlib.HuffmanOnly; level <= zlib.BestCompression; level++ {
			src := deflate(t, want, level)
			got := make([]byte, len(want))
			used, err := inflate(got, append(src, "trailing bytes of other entries"...))
			if err != nil || used != len(src) || !bytes.Equal(got, want) {
				t.Fatalf("sample %d level %d: used %d of %d, %v, equal %v", i, level, used, len(src), err, bytes.Equal(got, want))
			}
			if used, err := inflate(got, src); err != nil || used != len(src) {
				t.Fatalf("sample %d level %d without tail: %d, %v", i, level, used, err)
			}
			if len(want) == 0 {
				continue
			}
			if _, err := inflate(got[1:], src); err == nil {
				t.Errorf("sample %d level %d: longer than declared, accepted", i, level)
			}
			if _, err := inflate(make([]byte, len(want)+1), src); err == nil {
				t.Errorf("sample %d level %d: shorter than declared, accepted", i, level)
			}
			for _, n := range []int{1, 20, len(want) / 2, len(want)} {
				head := make([]byte, min(n, len(want)))
				if k, err := inflateHead(head, src); err != nil || k != len(head) || !bytes.Equal(head, want[:k]) {
					t.Fatalf("sample %d level %d: head of %d: %d, %v", i, level, n, k, err)
				}
			}
		}
	}
}

func TestInflateTruncated(t *testing.T) {
	want := samples(t)[4][:3000]
	for _, level := range []int{0, 1, 9, zlib.HuffmanOnly} {
		src := deflate(t, want, level)
		for n := range src {
			if _, err := inflate(make([]byte, len(want)), src[:n]); err == nil {
				t.Errorf("level %d cut to %d of %d bytes: accepted", level, n, len(src))
			}
		}
	}
}

// FuzzInflate demands what compress/zlib says of any stream, but for the
// checksum, which is not looked at.
func FuzzInflate(f *testing.F) {
	for _, data := range samples(f)[:8] {
		for _, level := range []int{0, 1, 9, zlib.HuffmanOnly} {
			f.Add(deflate(f, data[:min(len(data), 5000)], level))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		const bound = 1 << 20
		z, err := zlib.NewReader(bytes.NewReader(src))
		if err != nil {
			if _, err := inflate(nil, src); err == nil {
				t.Fatal("accepted a header that compress/zlib refuses")
			}
			return
		}
		want, err := io.ReadAll(io.LimitReader(z, bound+1))
		if len(want) > bound {
			return
		}
		got := make([]byte, len(want))
		_, mine := inflate(got, src)
		if ok := err == nil || err == zlib.ErrChecksum; ok != (mine == nil) {
			t.Fatalf("compress/zlib: %v after %d bytes, here: %v", err, len(want), mine)
		}
		if mine == nil && !bytes.Equal(got, want) {
			t.Fatal("other bytes than compress/zlib")
		}
	})
}

func BenchmarkInflate(b *testing.B) {
	source, err := os.ReadFile("inflate.go")
	if err != nil {
		b.Fatal(err)
	}
	for _, data := range [][]byte{source[:400], source} {
		src, dst := deflate(b, data, 6), make([]byte, len(data))
		b.Run("here", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := inflate(dst, src); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("compress-zlib", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			in := bytes.NewReader(src)
			z, err := zlib.NewReader(in)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				in.Reset(src)
				if err := z.(zlib.Resetter).Reset(in, nil); err != nil {
					b.Fatal(err)
				}
				if _, err := io.ReadFull(z, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

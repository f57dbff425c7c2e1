//go:build cgo && !binding

package grammar

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ctxptr/authority/selector/symbols"
)

// kotlinParts are what stops a scanner of multiline strings, what almost does,
// and what the parser must guess about.
var kotlinParts = strings.Split(`class A(val a: Int) : B() {|}|fun f(a: Int) = a|(|)|{|"""|""|"|$|$a|${|$é|$1|é|日本|
|`+"\r\n|\n\n|"+`val x = "a $b"|val s = """a $b ${c}"""|/* /* */ */|// a|if (a < b && c > d) e|a?.b|!is|in|as|@A(1)|set(a) {|get() = 1|;|x[1]|->|import a.b|constructor(|<|>|\|\|`+"`a b`", "|")

// TestLeap parses text, most of it broken, with the grammar as it is and with the
// one that leaps.
func TestLeap(t *testing.T) {
	LimitMemory(symbols.ExitMemory)
	Allow(1 << 30)
	pointer := pointerOf(symbols.Kotlin)
	plain, leaping := load(pointer, nil), load(quick(symbols.Kotlin, pointer), nil)
	if leaping.language.Inner == plain.language.Inner {
		t.Fatal("the grammar is not the one that leaps are made for")
	}
	random := rand.New(rand.NewPCG(1, 2))
	whole := 0
	for range 10_000 {
		var source strings.Builder
		for range random.IntN(40) {
			source.WriteString(kotlinParts[random.IntN(len(kotlinParts))])
			source.WriteString([]string{" ", "\n", ""}[random.IntN(3)])
		}
		want, got := dump(plain.Parse([]byte(source.String())), 0), dump(leaping.Parse([]byte(source.String())), 0)
		if got != want {
			t.Fatalf("%q:\ngot  %s\nwant %s", source.String(), got, want)
		}
		if !strings.Contains(want, "?") {
			whole++
		}
	}
	if whole == 0 {
		t.Error("all of them are broken")
	}
}

// BenchmarkLeap parses a Kotlin file of a megabyte, for which the grammar as it is
// takes a minute.
func BenchmarkLeap(b *testing.B) {
	LimitMemory(symbols.ExitMemory)
	Allow(1 << 30)
	source := []byte(strings.Repeat("class A(val a: Int) : B() {\n    fun f(b: Int): Int {\n        if (a < 100 && b != 0) return a\n        return b.c(a) { it * 2 }\n    }\n}\n\n", 1<<13))
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if Of(symbols.Kotlin, nil).Parse(source).Nodes[0].Broken {
			b.Fatal("it is broken")
		}
	}
}

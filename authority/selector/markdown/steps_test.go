package markdown

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// stepsPerByte bounds the work for one byte. A line may be indented and quoted
// many deep, and each container costs one step.
const stepsPerByte = 16

// steps parses src with the text of all headings and returns the work.
func steps(t testing.TB, src []byte) int {
	t.Helper()
	d, err := Parse(src)
	if err != nil {
		checkLimit(t, err)
		return 0
	}
	for _, b := range d.Blocks() {
		if b.Kind == Heading {
			if _, err := d.Text(b); err != nil {
				checkLimit(t, err)
			}
		}
	}
	return d.steps
}

func checkLimit(t testing.TB, err error) {
	t.Helper()
	if _, ok := errors.AsType[*LimitError](err); !ok {
		t.Fatalf("error of type %T: %v", err, err)
	}
}

// hostile are the pieces of documents on which Markdown parsers are known to
// take quadratic time or worse, each repeated behind a beginning.
var hostile = []struct{ begin, piece, end string }{
	{"# ", "*a_ ", ""}, {"# ", "**a*", ""}, {"# ", "a**b", "c* "}, {"# ", "*", "a"}, {"# ", "_*", ""}, {"# ", "a _b", ""},
	{"# ", "[", ""}, {"# ", "[a](", ""}, {"# ", "[a](b", ""}, {"# ", "[a](<b", ""}, {"# ", "[a](b \"", ""},
	{"# ", "[a](b 'c", ""}, {"# ", "![", "]"}, {"# ", "[", strings.Repeat("](b)", 1000)}, {"# ", "![", strings.Repeat("](b)", 1000)},
	{"# ", "]", ""}, {"# ", "[a][", ""}, {"# ", "[]", ""}, {"# ", "[a]", ""}, {"# ", "*a [b](c) ", ""}, {"# ", "[*", "](a)"},
	{"# ", "<", ""}, {"# ", "<a b='", ""}, {"# ", "<a ", ""}, {"# ", "<!--", ""}, {"# ", "<?", ""}, {"# ", "<![CDATA[", ""}, {"# ", "<!A", ""},
	{"# ", "<a:", ""}, {"# ", "</", ""}, {"# ", "&", ""}, {"# ", "&#", ""}, {"# ", "\\", ""}, {"# ", "~a~~ ", ""}, {"# ", "` ``", ""}, {"# ", "`a``", ""},
	{"", "[", ""}, {"", "[a]: b\n", "# [a]"}, {"", "[a]: b\n'", ""}, {"", "[a]:\n", ""}, {"[a]: b '", "\nc", ""}, {"", "[a]: b\n===\n", ""},
	{"", "- ", ""}, {"", "> ", ""}, {"", "- a\n", ""}, {"", "* * ", "a"}, {"", ">", "\n"}, {strings.Repeat("> ", 60), "\na", ""},
	{strings.Repeat("- ", 60) + "a", "\n" + strings.Repeat(" ", 200) + "a", ""}, {strings.Repeat("> ", 64) + "\n", strings.Repeat("> ", 64) + "a\n", ""},
	{"", "a\r", ""}, {"", "a\n", ""}, {"", "\r", ""}, {"", "\t", ""}, {"", "# a\n", ""}, {"", "###### a\n# b\n", ""}, {"", "a\n===\n", ""},
	{"", "a|", "\n|-|"}, {"|a|\n|-|\n", "|b|\n", ""}, {"a|b\n", "-|", ""}, {"a\n", "|-", ""}, {"", "|a|\n|-|-|\n", ""},
	{"", "<div>\n", ""}, {"", "<!--\n", ""}, {"<script>\n", "</", ""}, {"", "```\n", ""}, {"```\n", "``\n", ""}, {"", "~~~`\n", ""},
	{"---\n", "a\n", ""}, {"---\n", "--\n", ""}, {"+++\n", "a\n", "+++\n"}, {"\ufeff", "\ufeff", ""}, {"", "\x00", ""}, {"# ", "\xff", ""}, {"", "1. a\n", ""}, {"", "999999999. \n", ""},
}

func TestLinear(t *testing.T) {
	for _, h := range hostile {
		for _, size := range []int{4000, 16000, 64000} {
			src := []byte(h.begin + strings.Repeat(h.piece, size/len(h.piece)) + h.end)
			if got := steps(t, src); got > stepsPerByte*len(src) {
				t.Errorf("%q times %d: %d steps for %d bytes", h.piece, size/len(h.piece), got, len(src))
			}
		}
	}
}

func TestLinearAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		unit := compose(blockPieces, 1+rng.IntN(6), rng.Int) + compose(inlinePieces, rng.IntN(4), rng.Int)
		for _, begin := range []string{"", "# "} {
			src := []byte(begin + strings.Repeat(unit, 1+20000/len(unit)))
			if got := steps(t, src); got > stepsPerByte*len(src) {
				t.Errorf("%q %q repeated: %d steps for %d bytes", begin, unit, got, len(src))
			}
		}
	}
}

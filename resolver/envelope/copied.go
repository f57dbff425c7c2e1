package envelope

import (
	"bytes"
	"index/suffixarray"
	"slices"
	"unicode"
	"unicode/utf8"
)

// fold makes every run of white space one space, and none at the ends.
func fold(text []byte) []byte { return bytes.Join(bytes.Fields(text), []byte{' '}) }

// copied finds texts that are or hold, white space folded, the whole of an
// authority that the envelope points at. An authority of one word is a name, and
// naming it is no copy; a selector text= carries its words in the pointer itself.
func (c *check) copied() {
	all, starts := c.foldedTexts()
	var index *suffixarray.Index
	seen := map[string]bool{} // pointers and folded authorities that were looked for
	for _, s := range c.pointers {
		data, ok := s.bytes()
		if !ok || seen[s.pointer.String()] || s.pointer.Selector().Type() == "text" {
			continue
		}
		seen[s.pointer.String()] = true
		whole := fold(data)
		if len(whole) > len(all) || bytes.IndexByte(whole, ' ') < 0 || seen[string(whole)] {
			continue
		}
		seen[string(whole)] = true
		if index == nil {
			index = suffixarray.New(all)
		}
		c.copies(s, whole, all, starts, index)
	}
}

// foldedTexts joins the texts, folded, and says where each begins. Between those of
// one list of sentences stands a blank, so that an authority is found that was
// copied line by line; else a zero byte, which JSON lets through in no text unescaped.
func (c *check) foldedTexts() (all []byte, starts []int) {
	var list *node
	var between byte
	for _, n := range c.texts {
		if n.up == nil || n.up != list {
			list, between = n.up, 0
			if isProse(list) {
				between = ' '
			}
		} else if between == ' ' {
			all[len(all)-1] = ' '
		}
		starts = append(starts, len(all))
		all = append(append(all, fold([]byte(n.text))...), 0)
	}
	return all, starts
}

// isProse reports whether a value is a list with a text of several words. Lists of
// names and paths may well be those of an authority.
func isProse(list *node) bool {
	return list != nil && list.kind == '[' && slices.ContainsFunc(list.items, func(n *node) bool {
		return bytes.IndexByte(fold([]byte(n.str())), ' ') > 0
	})
}

// copies notes every text in which an authority stands whole.
func (c *check) copies(s standing, whole, all []byte, starts []int, index *suffixarray.Index) {
	in := map[int]string{}
	for _, at := range index.Lookup(whole, -1) {
		if !wordAt(all, at, at+len(whole)) {
			continue
		}
		first, last := lastAtMost(starts, at), lastAtMost(starts, at+len(whole)-1)
		if first == last {
			in[first] = "the text holds"
		} else if in[first] == "" {
			in[first] = "the text and those behind it hold"
		}
	}
	for i, holds := range in {
		if n := c.texts[i]; !c.isExcerptOf(n, whole) {
			c.addAt(n, CopiedAuthority, holds+" the whole of what the pointer at "+s.node.path()+" names")
		}
	}
}

// wordAt reports whether no word goes on at either end of from..to.
func wordAt(text []byte, from, to int) bool {
	first, _ := utf8.DecodeRune(text[from:])
	last, _ := utf8.DecodeLastRune(text[:to])
	before, _ := utf8.DecodeLastRune(text[:from])
	after, _ := utf8.DecodeRune(text[to:])
	return !(from > 0 && inWord(before) && inWord(first)) && !(to < len(text) && inWord(after) && inWord(last))
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// isExcerptOf reports whether a text is the content of an excerpt of that source,
// of which rule excerpts speaks.
func (c *check) isExcerptOf(n *node, whole []byte) bool {
	if n.key != "content" || n.up == nil {
		return false
	}
	data, ok := c.bytesAt(n.up.get("source_context_pointer"))
	return ok && bytes.Equal(fold(data), whole)
}

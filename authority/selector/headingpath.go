package selector

import "strings"

// mostPath is the greatest length in bytes of a path that is offered as a name;
// nobody sends a longer one, and a listing stays as long as its document.
const mostPath = 1024

// suffix is a head with some of the sections around it: the end of its path.
type suffix struct {
	head  int
	above int // the next head to put in front, or -1
	key   int // equal for equal texts
}

// uniquePaths returns the shortest path that fits exactly one head, for each
// found head that has one.
func (o *outline) uniquePaths(found []int) map[int]string {
	unique := map[int]string{}
	pending := o.namesakes(found)
	for depth := 1; len(pending) > 0; depth++ {
		count := make(map[int]int, len(pending))
		for _, s := range pending {
			count[s.key]++
		}
		keys := map[[2]int]int{}
		longer := pending[:0]
		for _, s := range pending {
			if count[s.key] == 1 {
				if path := o.path(s.head, depth); len(path) <= mostPath {
					unique[s.head] = path
				}
			} else if s.above >= 0 && o.heads[s.above].text != "" {
				longer = append(longer, o.lengthen(s, keys))
			}
		}
		pending = longer
	}
	return unique
}

// namesakes returns the heads with the texts of the found ones, which have one.
func (o *outline) namesakes(found []int) []suffix {
	texts := map[int]bool{}
	for _, i := range found {
		texts[o.heads[i].name] = true
	}
	var all []suffix
	for i, h := range o.heads {
		if h.text != "" && texts[h.name] {
			all = append(all, suffix{i, h.parent, h.name})
		}
	}
	return all
}

// lengthen puts the next head in front of s. keys numbers the pairs of the old
// key and the text in front.
func (o *outline) lengthen(s suffix, keys map[[2]int]int) suffix {
	above := o.heads[s.above]
	pair := [2]int{s.key, above.name}
	key, ok := keys[pair]
	if !ok {
		key = len(keys)
		keys[pair] = key
	}
	return suffix{s.head, above.parent, key}
}

// path returns the path of head i with depth texts.
func (o *outline) path(i, depth int) string {
	texts := make([]string, depth)
	for ; depth > 0; depth-- {
		texts[depth-1] = escapeSegment(o.heads[i].text)
		i = o.heads[i].parent
	}
	return strings.Join(texts, "/")
}

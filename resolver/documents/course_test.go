package documents

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomPlan is a plan over cells each of which depends on spans of cells before it.
func randomPlan(random *rand.Rand) *plan {
	size := 1 + random.IntN(14)
	p := &plan{row: &row{}, graph: newGraph(size)}
	for n := range size {
		p.row.cells = append(p.row.cells, cell{entry: n})
		for range random.IntN(3) {
			if n > 0 {
				s := span{from: random.IntN(n)}
				s.to = min(n, s.from+1+random.IntN(2))
				p.graph.cover(n, []span{s})
			}
		}
	}
	p.changing = make([]bool, len(p.graph.of))
	for node := len(p.changing) - 1; node > 0; node-- {
		if p.graph.isLeaf(node) {
			p.changing[node] = random.IntN(5) > 0
		} else {
			p.changing[node] = slices.ContainsFunc(p.graph.of[node], func(n int) bool { return p.changing[n] })
		}
	}
	return p
}

// dependsOn lists the cells that change and that a cell depends on.
func (p *plan) dependsOn(cell int) (on []int) {
	for open := slices.Clone(p.graph.of[p.graph.leaf(cell)]); len(open) > 0; {
		node := open[0]
		if open = open[1:]; !p.graph.isLeaf(node) {
			open = append(open, p.graph.of[node]...)
		} else if p.changing[node] {
			on = append(on, node-p.graph.size)
		}
	}
	return on
}

// TestCourse writes what random plans say: each entry once and behind what it depends
// on, each file once where no files depend on each other.
func TestCourse(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	once, several := 0, 0
	for range 2000 {
		p := randomPlan(random)
		files := make([]string, len(p.row.cells))
		for n := range files {
			files[n] = fmt.Sprint(random.IntN(6))
		}
		c := newCourse(p, func(entry int) string { return files[entry] })
		settled, writes := map[int]bool{}, map[string]int{}
		for wave := c.next(); len(wave) > 0; wave = c.next() {
			seen := map[string]bool{}
			for _, entry := range wave {
				for _, on := range p.dependsOn(entry) {
					if !settled[on] {
						t.Fatalf("%d is written before %d, on which it depends", entry, on)
					}
				}
				seen[files[entry]] = true
			}
			for file := range seen {
				writes[file]++
			}
			for _, entry := range wave {
				if settled[entry] {
					t.Fatalf("%d is written twice", entry)
				}
				settled[entry] = true
			}
			c.settle(wave)
		}
		tangled := filesTangled(p, files)
		for n := range files {
			if settled[n] != p.changing[p.graph.leaf(n)] {
				t.Fatalf("%d changes: %v, was written: %v", n, p.changing[p.graph.leaf(n)], settled[n])
			}
			switch n := writes[files[n]]; {
			case n == 1:
				once++
			case n > 1 && !tangled:
				t.Fatalf("file %s is written %d times", files[n], n)
			case n > 1:
				several++
			}
		}
	}
	if once == 0 || several == 0 {
		t.Errorf("%d files written once, %d more often: nothing was tried", once, several)
	}
}

// filesTangled reports whether a file depends on itself, through others or not.
func filesTangled(p *plan, files []string) bool {
	reach := map[[2]string]bool{}
	for n := range files {
		if p.changing[p.graph.leaf(n)] {
			for _, on := range p.dependsOn(n) {
				reach[[2]string{files[n], files[on]}] = true
			}
		}
	}
	names := slices.Compact(slices.Sorted(slices.Values(files)))
	for _, by := range names {
		for _, from := range names {
			for _, to := range names {
				if reach[[2]string{from, by}] && reach[[2]string{by, to}] {
					reach[[2]string{from, to}] = true
				}
			}
		}
	}
	return slices.ContainsFunc(names, func(f string) bool { return reach[[2]string{f, f}] })
}

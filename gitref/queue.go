package gitref

// queued is a commit in the order of a walk.
type queued struct {
	generation uint64
	time       int64
	node       int32
}

// before reports whether q is walked before o: the higher generation first,
// then the later time. The number settles the rest, so that runs are alike.
func (q queued) before(o queued) bool {
	if q.generation != o.generation {
		return q.generation > o.generation
	}
	if q.time != o.time {
		return q.time > o.time
	}
	return q.node < o.node
}

// commitQueue is a binary heap. container/heap would allocate for each element.
type commitQueue struct{ heap []queued }

func (c *commitQueue) len() int { return len(c.heap) }

func (c *commitQueue) push(q queued) {
	c.heap = append(c.heap, q)
	i := len(c.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !q.before(c.heap[up]) {
			break
		}
		c.heap[i] = c.heap[up]
		i = up
	}
	c.heap[i] = q
}

func (c *commitQueue) pop() queued {
	top := c.heap[0]
	n := len(c.heap) - 1
	q := c.heap[n]
	c.heap = c.heap[:n]
	i := 0
	for {
		down := 2*i + 1
		if down >= n {
			break
		}
		if down+1 < n && c.heap[down+1].before(c.heap[down]) {
			down++
		}
		if !c.heap[down].before(q) {
			break
		}
		c.heap[i] = c.heap[down]
		i = down
	}
	if n > 0 {
		c.heap[i] = q
	}
	return top
}

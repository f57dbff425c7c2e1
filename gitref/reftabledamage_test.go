package gitref

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// memoryTable parses a table that is held in memory.
func memoryTable(b []byte, hashSize int) (*reftable, error) {
	return parseReftable(memoryView(b), hashSize)
}

// randomShape is any layout that the format allows.
func randomShape(rnd *rand.Rand) tableShape {
	return tableShape{
		hashSize: pick(rnd, []int{20, 32}), limit: pick(rnd, []int{100, 256, 1000, 4096}), aligned: rnd.IntN(2) == 0,
		restarts: pick(rnd, []int{1, 3, 16, 1000}), top: pick(rnd, []int{1, 3, 1 << 20}), oneIndex: rnd.IntN(3) == 0,
	}
}

// randomTable is records of some of n names.
func randomTable(rnd *rand.Rand, s tableShape, n int) (records []tableRecord, want map[string]rawRef) {
	want = map[string]rawRef{}
	for i := range n {
		if rnd.IntN(3) == 0 {
			continue
		}
		name := fmt.Sprintf("refs/%s/%d", pick(rnd, []string{"heads", "tags", "replace", "x/y/" + strings.Repeat("z", 30)}), i)
		raw := rawRef{}
		switch rnd.IntN(4) {
		case 0:
			raw.target = name + "/target"
		case 1, 2:
			raw.oid = OID{size: uint8(s.hashSize), sum: [32]byte{1, byte(i), byte(rnd.IntN(255))}}
		}
		want[name] = raw
		records = append(records, refRecord(name, raw.oid, raw.target, rnd.IntN(2) == 0))
	}
	slices.SortFunc(records, func(a, b tableRecord) int { return strings.Compare(a.name, b.name) })
	return records, want
}

func TestTablesOfEveryLayout(t *testing.T) {
	rnd := testRand(11)
	looked, deep := 0, 0
	for range 400 {
		s := randomShape(rnd)
		records, want := randomTable(rnd, s, pick(rnd, []int{0, 1, 10, 120}))
		data := writeTable(s, records)
		table, err := memoryTable(data, s.hashSize)
		if err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		if table.index != 0 {
			deep++
		}
		for i := range records {
			for _, name := range []string{records[i].name, records[i].name + "!", records[i].name[:len(records[i].name)-1]} {
				raw, deleted, found, err := table.lookup(name)
				known, is := want[name]
				if err != nil || found != is || raw != known || deleted != (is && known == rawRef{}) {
					t.Fatalf("%+v: %s is %v %t %t, %v, want %v %t", s, name, raw, deleted, found, err, known, is)
				}
				looked++
			}
		}
		for _, prefix := range []string{"", "refs/heads/", "refs/replace/", "refs/x/y/z", "refs/z"} {
			var got []string
			err := table.below(prefix, func(name string, _ bool) bool { got = append(got, name); return true })
			all := slices.DeleteFunc(slices.Sorted(maps.Keys(want)), func(name string) bool { return !strings.HasPrefix(name, prefix) })
			if err != nil || !slices.Equal(got, all) {
				t.Fatalf("%+v: below %q stand %v, %v, want %v", s, prefix, got, err, all)
			}
		}
	}
	if looked < 10000 || deep < 50 {
		t.Errorf("%d names were looked up, %d tables had an index", looked, deep)
	}
}

// writeStack writes tables, the oldest first, and their list.
func writeStack(t *testing.T, dir string, tables ...[]byte) {
	t.Helper()
	var list strings.Builder
	for i, data := range tables {
		put(t, filepath.Join(dir, fmt.Sprintf("%d.ref", i)), string(data))
		fmt.Fprintf(&list, "%d.ref\n", i)
	}
	put(t, filepath.Join(dir, "tables.list"), list.String())
}

func openTestStack(t *testing.T, dir string) *reftableRefs {
	t.Helper()
	r := &reftableRefs{files: &fileRefs{gitDir: dir, commonDir: dir, hashSize: 20}}
	t.Cleanup(r.close)
	return r
}

func TestNewerTablesCount(t *testing.T) {
	rnd := testRand(12)
	for range 60 {
		dir := t.TempDir()
		want := map[string]rawRef{}
		var tables [][]byte
		for range 1 + rnd.IntN(4) {
			s := randomShape(rnd)
			s.hashSize = 20
			records, of := randomTable(rnd, s, 40)
			maps.Copy(want, of)
			tables = append(tables, writeTable(s, records))
		}
		writeStack(t, filepath.Join(dir, "reftable"), tables...)
		r := openTestStack(t, dir)
		prefixes := map[string]bool{"refs/heads/": false, "refs/replace/": false, "refs/none/": false}
		for name, raw := range want {
			got, err := r.readRef(name)
			if gone := raw == (rawRef{}); got != raw || gone != (faultIn(err) == NoRef) || !gone && err != nil {
				t.Errorf("%s is %v, %v, want %v", name, got, err, raw)
			}
			for prefix := range prefixes {
				prefixes[prefix] = prefixes[prefix] || strings.HasPrefix(name, prefix) && raw != (rawRef{})
			}
		}
		for prefix, is := range prefixes {
			if found, err := r.hasPrefix(prefix); found != is || err != nil {
				t.Errorf("below %s: %t, %v, want %t", prefix, found, err, is)
			}
		}
	}
}

// Of a table only header and footer have a checksum: what stands in a block may
// be changed into another answer, as git gives it, but never into a crash, and a
// table that is cut is never read.
func TestDamagedReftable(t *testing.T) {
	rnd := testRand(13)
	noticed := 0
	for _, s := range []tableShape{{20, 4096, false, 16, 1, false}, {20, 100, true, 3, 1, false}, {20, 100, false, 3, 1, true}} {
		dir := t.TempDir()
		records, want := randomTable(rnd, s, 20)
		data := writeTable(s, records)
		name := filepath.Join(dir, "reftable", "0.ref")
		writeStack(t, filepath.Dir(name), data)
		damage(t, name, func(what string) {
			r := &reftableRefs{files: &fileRefs{gitDir: dir, commonDir: dir, hashSize: 20}}
			defer r.close()
			_, err := r.hasPrefix("refs/replace/")
			for ref, raw := range want {
				got, refErr := r.readRef(ref)
				if fault := faultIn(refErr); refErr != nil && fault != Corrupt && fault != NoRef && fault != BrokenRef {
					t.Errorf("%s: %s: fault %d, %v", what, ref, fault, refErr)
				}
				if cut := strings.HasPrefix(what, "cut") || strings.HasPrefix(what, "one byte"); cut && faultIn(refErr) != Corrupt {
					t.Errorf("%s: %s is %v, %v, want %v", what, ref, got, refErr, raw)
				}
				if faultIn(refErr) == Corrupt || err != nil {
					noticed++
				}
			}
		})
	}
	if noticed == 0 {
		t.Error("no damage was ever noticed")
	}
}

func TestTableListsThatCannotBeFollowed(t *testing.T) {
	dir := t.TempDir()
	tables := filepath.Join(dir, "reftable")
	for list, want := range map[string]Fault{"none.ref\n": Corrupt, "../x.ref\n": Corrupt, "tables.list\n": Corrupt, ".\n": Corrupt} {
		put(t, filepath.Join(tables, "tables.list"), list)
		_, err := openTestStack(t, dir).readRef("HEAD")
		wantFault(t, err, want)
	}
	put(t, filepath.Join(tables, "tables.list"), "")
	_, err := openTestStack(t, dir).readRef("HEAD")
	wantFault(t, err, NoRef)
	id := OID{size: 20, sum: [32]byte{}}
	writeStack(t, tables, writeTable(tableShape{20, 4096, true, 16, 1, false}, []tableRecord{refRecord("HEAD", id, "", false)}))
	_, err = openTestStack(t, dir).readRef("HEAD")
	wantFault(t, err, BrokenRef)
	list, err := os.ReadFile(filepath.Join(tables, "tables.list"))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]Fault{maxTables: BrokenRef, maxTables + 1: OverLimit} {
		put(t, filepath.Join(tables, "tables.list"), strings.Repeat(string(list), n))
		_, err = openTestStack(t, dir).readRef("HEAD")
		wantFault(t, err, want)
	}
	put(t, filepath.Join(dir, "worktrees", "w", "reftable", "tables.list"), "none.ref\n")
	mkdir(t, filepath.Join(dir, "worktrees", "x"))
	for name, want := range map[string]Fault{"worktrees/w/HEAD": Corrupt, "worktrees/x/HEAD": Corrupt, "worktrees/none/HEAD": NoRef} {
		_, err = openTestStack(t, dir).readRef(name)
		wantFault(t, err, want)
	}
	put(t, filepath.Join(dir, "FETCH_HEAD"), strings.Repeat("1", 40)+"\n")
	if raw, err := openTestStack(t, dir).readRef("FETCH_HEAD"); err != nil || raw.oid.IsZero() {
		t.Errorf("FETCH_HEAD is %v, %v", raw, err)
	}
}

// While tables are merged and removed each observation is one whole state, and
// what was observed stays.
func TestTablesReplacedWhileTheyAreOpened(t *testing.T) {
	dir := t.TempDir()
	tables := filepath.Join(dir, "reftable")
	state := func(i int) []byte {
		id := OID{size: 20, sum: [32]byte{1, byte(i), byte(i >> 8)}}
		return writeTable(tableShape{20, 4096, true, 16, 1, false}, []tableRecord{refRecord("refs/heads/a", id, "", false), refRecord("refs/heads/b", id, "", false)})
	}
	replace := func(i int) {
		name := fmt.Sprintf("%d.ref", i)
		put(t, filepath.Join(tables, name), string(state(i)))
		put(t, filepath.Join(tables, "list"), name+"\n")
		if err := os.Rename(filepath.Join(tables, "list"), filepath.Join(tables, "tables.list")); err != nil {
			t.Error(err)
		}
		os.Remove(filepath.Join(tables, fmt.Sprintf("%d.ref", i-1)))
	}
	replace(0)
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			default:
				replace(i)
			}
		}
	}()
	for range 300 {
		r := openTestStack(t, dir)
		a, err := r.readRef("refs/heads/a")
		b, err2 := r.readRef("refs/heads/b")
		if err != nil || err2 != nil || a != b {
			t.Fatalf("%v %v, %v %v", a, b, err, err2)
		}
	}
	close(stop)
	<-ended
}

// FuzzReftable demands that whatever stands between a header and a footer lists
// names in order, ends, and finds each name where no index leads elsewhere.
func FuzzReftable(f *testing.F) {
	rnd := testRand(14)
	for range 10 {
		s := randomShape(rnd)
		s.hashSize, s.limit = 20, 100
		records, _ := randomTable(rnd, s, 12)
		data := writeTable(s, records)
		table, err := memoryTable(data, 20)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[24:table.end], uint16(table.blockSize), uint64(table.index))
	}
	f.Fuzz(func(t *testing.T, blocks []byte, blockSize uint16, index uint64) {
		header := append([]byte("REFT\x01\x00"), byte(blockSize>>8), byte(blockSize))
		b := append(append(header, make([]byte, 16)...), blocks...)
		table, err := memoryTable(closeTable(b, 24, index), 20)
		if err != nil {
			return
		}
		last := ""
		err = table.below("", func(name string, _ bool) bool {
			if name <= last {
				t.Fatalf("%q stands behind %q", name, last)
			}
			last = name
			return true
		})
		if _, _, found, lookErr := table.lookup(last); err == nil && table.index == 0 && (last == "" == found || lookErr != nil) {
			t.Fatalf("%q is found: %t, %v", last, found, lookErr)
		}
		_, _, _, _ = table.lookup("refs/heads/main")
	})
}

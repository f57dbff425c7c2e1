package gitref

import "io"

const (
	pageSize = 4 << 10
	maxPages = 256 // that are kept
)

// pagedFile reads a file by pages and keeps them: each step of a search reads
// several short pieces next to one another, and every search begins with the
// same steps. It is not safe for concurrent use.
type pagedFile struct {
	file  io.ReaderAt
	pages map[int64][]byte
}

// ReadAt is as io.ReaderAt has it.
func (f *pagedFile) ReadAt(b []byte, at int64) (int, error) {
	for done := 0; ; {
		page, err := f.page(at / pageSize)
		if err != nil {
			return done, err
		}
		n := copy(b[done:], page[min(at%pageSize, int64(len(page))):])
		done, at = done+n, at+int64(n)
		switch {
		case done == len(b):
			return done, nil
		case n == 0:
			return done, io.EOF
		}
	}
}

// page is one page, which is shorter where the file ends.
func (f *pagedFile) page(number int64) ([]byte, error) {
	if page, ok := f.pages[number]; ok {
		return page, nil
	}
	page := make([]byte, pageSize)
	n, err := f.file.ReadAt(page, number*pageSize)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if f.pages == nil || len(f.pages) == maxPages {
		f.pages = map[int64][]byte{}
	}
	f.pages[number] = page[:n]
	return page[:n], nil
}

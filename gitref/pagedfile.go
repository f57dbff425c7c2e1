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

// piece returns the n bytes at an offset, fewer where the file ends. They are
// shared with the page that holds them all, and not to be written to.
func (f *pagedFile) piece(at, n int64) ([]byte, error) {
	page, err := f.page(at / pageSize)
	if err != nil {
		return nil, err
	}
	from := min(at%pageSize, int64(len(page)))
	if end := from + n; end <= int64(len(page)) {
		return page[from:end:end], nil
	}
	whole := make([]byte, 0, n)
	for {
		whole = append(whole, page[from:min(int64(len(page)), from+n-int64(len(whole)))]...)
		if int64(len(whole)) == n || len(page) < pageSize {
			return whole, nil
		}
		if page, err = f.page((at + int64(len(whole))) / pageSize); err != nil {
			return nil, err
		}
		from = 0
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

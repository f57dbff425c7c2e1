package resolver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"ctxptr/authority"
)

// Prior is what earlier runs answered: episodes whose refresh was performed.
type Prior map[string]bool

// ReadPrior reads earlier records, one JSON object a line, as resolve prints
// them, or as an answer about a whole document holds them. The error is an
// *InputError.
func ReadPrior(r io.Reader) (Prior, error) {
	b := bufio.NewReader(io.LimitReader(r, MaxInput+1)) // one more, to see that it is too long
	prior := Prior{}
	offset := skipMark(b)
	for {
		line, err := b.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, &InputError{Offset: offset, Proof: "the input broke off", Err: err}
		}
		if offset+int64(len(line)) > MaxInput {
			return nil, tooLong()
		}
		if len(bytes.TrimSpace(line)) > 0 {
			records, parseErr := parseRecords(line)
			if parseErr != nil {
				return nil, &InputError{Offset: offset, Proof: "no record of " + Schema + " stands there", Err: parseErr}
			}
			for _, r := range records {
				prior.add(r)
			}
		}
		offset += int64(len(line))
		if err != nil {
			return prior, nil
		}
	}
}

// parseRecords reads one record back, or those under records of an answer that has
// another schema of this program.
func parseRecords(line []byte) ([]*Record, error) {
	var answer struct {
		Schema  string            `json:"schema"`
		Records []json.RawMessage `json:"records"`
	}
	err := json.Unmarshal(line, &answer)
	if err != nil || answer.Records == nil || !strings.HasPrefix(answer.Schema, "ctxptr.") || answer.Schema == Schema {
		r, err := parseRecord(line)
		return []*Record{r}, err
	}
	records := make([]*Record, len(answer.Records))
	for i, text := range answer.Records {
		if records[i], err = parseRecord(text); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// parseRecord reads one record back; keys that no record has are refused.
func parseRecord(line []byte) (*Record, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	var r Record
	if err := d.Decode(&r); err != nil {
		return nil, err
	}
	if r.Schema != Schema {
		return nil, fmt.Errorf("schema is %s", authority.Quote(r.Schema))
	}
	return &r, nil
}

func (p Prior) add(r *Record) {
	if r.Outcome == Blocked && (r.Refresh == RefreshFailed || r.Refresh == RefreshSpent) {
		p[r.Pointer+" "+r.Episode] = true
	}
}

// spent reports whether the refresh of the record's episode was performed
// before.
func (p Prior) spent(r *Record) bool { return p[r.Pointer+" "+r.Episode] }

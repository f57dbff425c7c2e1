package resolver

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ctxptr/authority"
)

// itemOfJSON takes {"id": …, "pointer": …} apart; anything else is the pointer
// itself.
func itemOfJSON(value []byte) Item {
	whole := Item{Text: string(value), JSON: true}
	if !isWrapped(value) {
		return whole
	}
	item, err := unwrapped(value)
	if f, ok := errors.AsType[*authority.Fault](err); ok {
		whole.fault = f
		return whole
	}
	return item
}

// isWrapped reports whether value begins an object around a pointer, which no
// pointer begins as.
func isWrapped(value []byte) bool {
	d := jsontext.NewDecoder(bytes.NewBuffer(value))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return false
	}
	key, err := d.ReadToken()
	return err == nil && (key.String() == "id" || key.String() == "pointer")
}

// unwrapped reads the one object of value, as strictly as a pointer in JSON is
// read: what is cut off or followed by more is no item. The error is a
// *authority.Fault with the byte offset in value.
func unwrapped(value []byte) (Item, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(value))
	item := Item{JSON: true}
	if _, err := d.ReadToken(); err != nil {
		return Item{}, jsonFault(d, err)
	}
	for d.PeekKind() != '}' {
		at := nextAt(d, value)
		key, err := d.ReadToken()
		if err != nil {
			return Item{}, jsonFault(d, err)
		}
		if err := item.take(d, strings.Clone(key.String()), at, value); err != nil {
			return Item{}, err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return Item{}, jsonFault(d, err)
	}
	if err := atEnd(d, value); err != nil {
		return Item{}, err
	}
	if item.Text == "" {
		return Item{}, syntaxAt(0, "the key pointer is missing")
	}
	return item, nil
}

// take reads the value of a key, which stands at an offset of value.
func (i *Item) take(d *jsontext.Decoder, key string, at int, value []byte) error {
	behind := nextAt(d, value)
	text, err := d.ReadValue()
	switch {
	case err != nil:
		return jsonFault(d, err)
	case key == "pointer":
		i.Text = string(text)
	case key != "id":
		return syntaxAt(at, "unknown key %s; beside pointer only id can stand", authority.Quote(key))
	case text.Kind() != '"':
		return syntaxAt(behind, "the value of id is no string")
	default:
		id, err := jsontext.AppendUnquote(nil, text)
		if err != nil {
			return syntaxAt(behind, "the value of id is no strict JSON string")
		}
		i.ID = string(id)
	}
	return nil
}

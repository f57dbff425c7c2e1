package main

import (
	"bufio"
	"io"

	"ctxptr/authority/selector/symbols"
	"ctxptr/cmd/ctxptr-symbols/grammar"
	"ctxptr/cmd/ctxptr-symbols/tables"
)

// maxRequest is the size in bytes of the largest request.
const maxRequest = symbols.MaxSource + 1<<10

// server answers requests, one after the other.
type server struct {
	memory int64  // bytes of one file
	watch  *watch // of the time that one file takes
}

// readRequests passes on every frame of r. At the end of the input the error is
// nil.
func readRequests(r io.Reader, requests chan<- []byte) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		payload, err := symbols.ReadFrame(in, maxRequest)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		requests <- payload
	}
}

// serve says hello and answers requests. It returns when an answer cannot be
// written or a request cannot be read.
func (s *server) serve(requests <-chan []byte, w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	hello := symbols.Hello{Protocol: symbols.Protocol, Languages: grammar.Languages()}
	if err := send(out, hello.Encode()); err != nil {
		return err
	}
	for payload := range requests {
		request, err := symbols.DecodeRequest(payload)
		if err != nil {
			return err
		}
		if err := send(out, s.answer(request).Encode()); err != nil {
			return err
		}
	}
	return nil
}

func send(out *bufio.Writer, payload []byte) error {
	if err := symbols.WriteFrame(out, payload); err != nil {
		return err
	}
	return out.Flush()
}

// answer outlines one file within the limits.
func (s *server) answer(r symbols.Request) symbols.Reply {
	if at := symbols.NotText(r.Source); at >= 0 {
		return symbols.Reply{Status: symbols.BadSource, Offset: at}
	}
	s.watch.begin()
	defer s.watch.end()
	grammar.Allow(s.memory)
	if r.Language == symbols.CHeader {
		return outlineHeader(r.Source)
	}
	return outline(r.Language, r.Source)
}

// outlineHeader reads a header as C, or as C++ where only that works.
func outlineHeader(source []byte) symbols.Reply {
	asC := outline(symbols.C, source)
	if asC.Status != symbols.OK || len(asC.Outline.Errors) == 0 {
		return asC
	}
	if asCPP := outline(symbols.CPP, source); asCPP.Status == symbols.OK && len(asCPP.Outline.Errors) == 0 {
		return asCPP
	}
	return asC
}

func outline(language string, source []byte) symbols.Reply {
	table := tables.Of(language)
	if table == nil {
		return symbols.Reply{Status: symbols.NoLanguage}
	}
	g := grammar.Of(language, table.Opaque())
	if g == nil {
		return symbols.Reply{Status: symbols.NoLanguage}
	}
	tree := g.Parse(source)
	if tree == nil {
		return symbols.Reply{Status: symbols.NoLanguage}
	}
	o, ok := table.Outline(tree)
	if !ok {
		return symbols.Reply{Status: symbols.TooDeep}
	}
	return symbols.Reply{Outline: o}
}

// Ctxptr-symbols parses source code for ctxptr, which starts it when a pointer
// needs a definition in a language other than Go and ends it with the command.
// It is kept apart because the grammars are C code that untrusted source can
// hang or crash: here that costs one file, not the command.
//
// It is not run by hand. Usage: ctxptr-symbols MILLISECONDS BYTES, the time and
// memory that one file may take. It says hello on its standard output, then
// answers each request on its standard input with one reply; package symbols
// has the frames. It ends with its input, or with exit code 3 when a file takes
// too much memory, 4 when one takes too long, 2 for wrong usage or input.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"ctxptr/authority/selector/symbols"
	"ctxptr/cmd/ctxptr-symbols/grammar"
)

func main() {
	deadline, memory, err := limits(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "ctxptr-symbols:", err)
		os.Exit(2)
	}
	grammar.LimitMemory(symbols.ExitMemory)
	s := server{memory: memory, watch: newWatch(deadline, func() { os.Exit(symbols.ExitDeadline) })}
	requests, stdin := make(chan []byte, symbols.Ahead), openStdin()
	go func() {
		// The end of the input ends the process even while a file is parsed.
		os.Exit(exitCode(readRequests(stdin, requests)))
	}()
	if err := s.serve(requests, os.Stdout); err != nil {
		os.Exit(2)
	}
}

func limits(args []string) (deadline time.Duration, memory int64, err error) {
	if len(args) != 2 {
		return 0, 0, fmt.Errorf("ctxptr starts this program when it needs it; it is not run by hand")
	}
	ms, err := strconv.ParseUint(args[0], 10, 31)
	if err != nil || ms == 0 {
		return 0, 0, fmt.Errorf("the first argument is a number of milliseconds, not %q", args[0])
	}
	memory, err = strconv.ParseInt(args[1], 10, 64)
	if err != nil || memory <= 0 {
		return 0, 0, fmt.Errorf("the second argument is a number of bytes, not %q", args[1])
	}
	return time.Duration(ms) * time.Millisecond, memory, nil
}

func exitCode(err error) int {
	if err != nil {
		return 2
	}
	return 0
}

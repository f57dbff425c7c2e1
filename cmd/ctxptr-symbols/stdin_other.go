//go:build !unix

package main

import "os"

func openStdin() *os.File { return os.Stdin }

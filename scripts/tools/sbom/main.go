// Sbom writes what a Go program is made of, from what its build recorded, as a
// CycloneDX 1.5 document in JSON:
//
//	sbom PROGRAM NAME
//
// NAME is the program's name in the document. There is no time and no random
// number in it: the same program gives the same bytes.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

type document struct {
	Format     string      `json:"bomFormat"`
	Version    string      `json:"specVersion"`
	Revision   int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: sbom PROGRAM NAME")
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return err
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(describe(info, args[1]))
}

func describe(info *buildinfo.BuildInfo, name string) document {
	program := component{Type: "application", Ref: name, Name: name, Version: info.Main.Version}
	for _, s := range info.Settings {
		program.Properties = append(program.Properties, property{"go:build:" + s.Key, s.Value})
	}
	d := document{Format: "CycloneDX", Version: "1.5", Revision: 1, Metadata: metadata{program}}
	d.Components = append(d.Components, component{
		Type: "library", Ref: "std", Name: "std", Version: info.GoVersion,
		PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"),
	})
	for _, m := range info.Deps {
		d.Components = append(d.Components, module(m))
	}
	return d
}

// module describes a dependency as it was built: a replaced one names both.
func module(m *debug.Module) component {
	used := m
	c := component{Type: "library", Ref: m.Path, Name: m.Path, Version: m.Version}
	if m.Replace == nil {
		c.PURL = "pkg:golang/" + m.Path + "@" + m.Version
	} else {
		used = m.Replace
		c.Properties = append(c.Properties, property{"go:replace", used.Path})
	}
	if used.Sum != "" {
		c.Properties = append(c.Properties, property{"go:sum", used.Sum})
	}
	return c
}

// Command oracle-v1beta1 answers with Karpenter's conversion webhook: one JSON question on each line of stdin, one
// JSON answer on each line of stdout.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

type question struct {
	Op string `json:"op"`
	// The version to convert to, or to decode as.
	To     string          `json:"to"`
	Object json.RawMessage `json:"object"`
	// Objects in the cluster for the webhook: NodeClaims take their lifetime from there. In version v1.
	NodePools []json.RawMessage `json:"nodePools"`
}

type reply struct {
	Object any    `json:"object,omitempty"`
	Error  string `json:"error,omitempty"`
	Panic  string `json:"panic,omitempty"`
}

func main() {
	questions := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	answers := json.NewEncoder(out)
	for {
		var asked question
		if err := questions.Decode(&asked); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			fail(err)
		}
		if err := answers.Encode(replyTo(asked)); err != nil {
			fail(err)
		}
	}
	if err := out.Flush(); err != nil {
		fail(err)
	}
}

func replyTo(asked question) (r reply) {
	defer func() {
		if cause := recover(); cause != nil {
			r = reply{Panic: fmt.Sprint(cause)}
		}
	}()
	var object any
	var err error
	switch asked.Op {
	case "convert":
		object, err = convert(asked)
	case "read":
		object, err = readStrictly(asked)
	default:
		fail(fmt.Errorf("no operation %q", asked.Op))
	}
	if err != nil {
		return reply{Error: err.Error()}
	}
	return reply{Object: object}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "oracle-v1beta1:", err)
	os.Exit(2)
}

// Command oracle answers with Karpenter's own code: one JSON question on each line of stdin, one JSON answer on each
// line of stdout.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type reply struct {
	Answer any    `json:"answer,omitempty"`
	Panic  string `json:"panic,omitempty"`
}

func main() {
	log.SetLogger(logr.Discard())
	questions := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	answers := json.NewEncoder(out)
	for {
		var question json.RawMessage
		if err := questions.Decode(&question); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			fail(err)
		}
		if err := answers.Encode(replyTo(question)); err != nil {
			fail(err)
		}
		// The client waits for each answer.
		if os.Getenv(victim) != "" {
			_ = out.Flush()
		}
	}
	if err := out.Flush(); err != nil {
		fail(err)
	}
}

// Karpenter may panic on input that its validation would have refused: such a panic is an answer too.
func replyTo(question json.RawMessage) (r reply) {
	defer func() {
		if cause := recover(); cause != nil {
			r = reply{Panic: fmt.Sprint(cause)}
		}
	}()
	return reply{Answer: answer(question)}
}

func answer(question json.RawMessage) any {
	var asked struct {
		Op string `json:"op"`
	}
	read(question, &asked)
	switch asked.Op {
	case "merge":
		return merge(question)
	case "has":
		return has(question)
	case "intersection":
		return intersection(question)
	case "intersects":
		return intersects(question)
	case "compatible":
		return compatible(question)
	case "labels":
		return labels()
	case "minValues":
		return minValues(question)
	case "validate":
		return validate(question)
	case "hash":
		return hash(question)
	case "driftPool":
		return driftPool(question)
	case "budget":
		return budget(question)
	case "settle":
		return settle(question)
	case "nodeLabels":
		return nodeLabels(question)
	case "eviction":
		return eviction(question)
	case "survive":
		return survive(question)
	case "withinLimits":
		return withinLimits(question)
	case "overlays":
		return overlays(question)
	case "yaml":
		return readYaml(question)
	}
	fail(fmt.Errorf("no operation %q", asked.Op))
	return nil
}

func read(question json.RawMessage, into any) {
	if err := json.Unmarshal(question, into); err != nil {
		fail(fmt.Errorf("%s: %w", question, err))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "oracle:", err)
	os.Exit(2)
}

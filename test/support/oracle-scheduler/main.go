// Command oracle-scheduler runs Karpenter's own provisioner or disruption controller on given worlds, times its scheduler, or
// runs its drift of a static pool or its consolidation of Spot nodes: one JSON question on each line of stdin, one JSON answer
// on each line of stdout.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

func main() {
	log.SetLogger(logr.Discard())
	debug.SetGCPercent(400)
	worlds := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	answers := json.NewEncoder(out)
	for {
		var question json.RawMessage
		if err := worlds.Decode(&question); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			fail(err)
		}
		if err := answers.Encode(replyTo(question)); err != nil {
			fail(err)
		}
		// A client may wait for each answer.
		if err := out.Flush(); err != nil {
			fail(err)
		}
	}
}

// Karpenter may panic on a world that an API server would have refused.
func replyTo(question json.RawMessage) (r any) {
	defer func() {
		if cause := recover(); cause != nil {
			r = reply{Panic: fmt.Sprintf("%v\n%s", cause, debug.Stack())}
		}
	}()
	var asked struct {
		Op string `json:"op"`
		world
	}
	if err := json.Unmarshal(question, &asked); err != nil {
		fail(err)
	}
	switch asked.Op {
	case "staticDrift":
		return staticDrift(question)
	case "spotToSpot":
		return spotToSpot(question)
	case "disruption":
		return disrupt(question)
	case "timeOfSolve":
		return timeOfSolve(question)
	}
	return asked.world.answer()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "oracle-scheduler:", err)
	os.Exit(2)
}

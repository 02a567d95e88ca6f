// Command oracle-scheduler runs Karpenter's own provisioner on given worlds: one JSON world on each line of stdin, one
// JSON answer on each line of stdout.
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
		var w world
		if err := worlds.Decode(&w); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			fail(err)
		}
		if err := answers.Encode(replyTo(w)); err != nil {
			fail(err)
		}
		// A client may wait for each answer.
		if err := out.Flush(); err != nil {
			fail(err)
		}
	}
}

// Karpenter may panic on a world that an API server would have refused.
func replyTo(w world) (r reply) {
	defer func() {
		if cause := recover(); cause != nil {
			r = reply{Panic: fmt.Sprintf("%v\n%s", cause, debug.Stack())}
		}
	}()
	return w.answer()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "oracle-scheduler:", err)
	os.Exit(2)
}

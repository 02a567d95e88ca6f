// Command controlplane is kube-apiserver or etcd, by its first argument: that program's flags go in, a server comes out.
package main

import (
	"fmt"
	"io"
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	if len(os.Args) < 2 {
		fail()
	}
	program := os.Args[1]
	os.Args = os.Args[1:]
	stopWithStdin()
	switch program {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(app.NewAPIServerCommand()))
	default:
		fail()
	}
}

// A test process that is killed cannot stop its servers. It holds the other end of stdin, which the system
// closes whatever the process died of.
func stopWithStdin() {
	if os.Getenv("CONTROLPLANE_STOP_WITH_STDIN") == "" {
		return
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
}

func fail() {
	fmt.Fprintln(os.Stderr, "usage: controlplane etcd|kube-apiserver [flags]")
	os.Exit(2)
}

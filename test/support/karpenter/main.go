// Command karpenter is Karpenter with its kwok provider, as its own main package wires it; or, with the argument
// "instance-types", a print of that provider's instance types: options in the environment, JSON out.
package main

import (
	"fmt"
	"io"
	"os"

	kwok "sigs.k8s.io/karpenter/kwok/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider/overlay"
	"sigs.k8s.io/karpenter/pkg/controllers"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "instance-types" {
		if err := printInstanceTypes(os.Stdout); err != nil {
			fail(err)
		}
		return
	}
	stopWithStdin()
	run()
}

func run() {
	ctx, op := operator.NewOperator()
	instanceTypes, err := kwok.ConstructInstanceTypes(ctx)
	if err != nil {
		fail(err)
	}
	var provider cloudprovider.CloudProvider = kwok.NewCloudProvider(ctx, op.GetClient(), instanceTypes)
	if os.Getenv("SERVE_EC2NODECLASSES") != "" {
		provider = withEC2NodeClasses{provider}
	}
	decorated := overlay.Decorate(provider, op.GetClient(), op.InstanceTypeStore)
	cluster := state.NewCluster(op.Clock, op.GetClient(), decorated)
	all := controllers.NewControllers(
		ctx,
		op.Manager,
		op.Clock,
		op.GetClient(),
		op.EventRecorder,
		decorated,
		provider,
		cluster,
		op.InstanceTypeStore,
	)
	op.WithControllers(ctx, all...).Start(ctx)
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

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

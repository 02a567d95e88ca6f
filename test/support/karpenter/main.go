// Command karpenter is Karpenter with its kwok provider, wired like its own main package. With the argument
// "instance-types" it prints that provider's instance types as JSON.
package main

import (
	"fmt"
	"io"
	"os"

	"k8s.io/client-go/util/flowcontrol"
	kwok "sigs.k8s.io/karpenter/kwok/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider/overlay"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/operator"
)

func init() {
	// An event for each pod that gets a node: usually five a second.
	scheduling.PodNominationRateLimiter = flowcontrol.NewFakeAlwaysRateLimiter()
}

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
	op.WithControllers(ctx, allControllers(ctx, op, decorated, provider)...).Start(ctx)
}

// A killed test process cannot stop its servers. It holds the other end of stdin, which the system closes in any case.
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

package main

import (
	"context"
	"encoding/json"
	"runtime"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/clock"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/dynamicresources/deviceallocation"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/state/virtualpods"
)

type solveTime struct {
	NodeClaims int `json:"nodeClaims"`
	Errors     int `json:"errors"`
	// Of the processor, in Solve alone.
	Milliseconds float64 `json:"milliseconds"`
}

// Answers how long Karpenter's scheduler takes for a world on one processor.
func timeOfSolve(question json.RawMessage) any {
	var asked world
	if err := json.Unmarshal(question, &asked); err != nil {
		fail(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	ctx := options.ToContext(context.Background(), asked.options())
	instanceTypes := []*cloudprovider.InstanceType{}
	for _, one := range asked.Types {
		instanceTypes = append(instanceTypes, one.karpenters())
	}
	kube := newReader(true)
	objects := asked.read()
	for _, object := range objects {
		kube.add(object)
	}
	cloud := &provider{types: instanceTypes}
	cluster := state.NewCluster(clock.RealClock{}, kube, cloud)
	if err := track(ctx, cluster, objects); err != nil {
		fail(err)
	}
	provisioner := provisioning.NewProvisioner(
		kube, recorder{}, cloud, cluster, clock.RealClock{}, deviceallocation.NewController(kube), virtualpods.NewVirtualPodCache(kube),
	)
	pods, err := provisioner.GetPendingPods(ctx)
	if err != nil {
		fail(err)
	}
	made, err := provisioner.NewScheduler(
		ctx, pods, cluster.DeepCopyNodes().Active(), sets.New[types.UID](), scheduler.DisableReservedCapacityFallback, scheduler.NumConcurrentReconciles(1),
	)
	if err != nil {
		fail(err)
	}
	began := userTime()
	results, err := made.Solve(ctx, pods)
	if err != nil {
		fail(err)
	}
	return solveTime{
		NodeClaims:   len(results.NewNodeClaims),
		Errors:       len(results.PodErrors),
		Milliseconds: float64((userTime() - began).Microseconds()) / 1000,
	}
}

func userTime() time.Duration {
	usage := syscall.Rusage{}
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	return time.Duration(usage.Utime.Nano())
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/dynamicresources/deviceallocation"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/state/virtualpods"
)

const zone = "us-east-1a"

// Answers whether Karpenter replaces Spot nodes of one type with a cheaper Spot node, of how many types it asks for, and
// what its events say if it does not.
func spotToSpot(question json.RawMessage) any {
	var asked struct {
		On    bool `json:"on"`
		Nodes int  `json:"nodes"`
		// How many types are cheaper than that of the nodes, and how many are dearer.
		Cheaper int `json:"cheaper"`
		Dearer  int `json:"dearer"`
		// On the label of instance types.
		MinValues *int `json:"minValues"`
	}
	if err := json.Unmarshal(question, &asked); err != nil {
		fail(err)
	}
	gates := options.DefaultFeatureGates()
	gates.SpotToSpotConsolidation = asked.On
	ctx := options.ToContext(context.Background(), &options.Options{
		CPURequests: 1000, IgnoreDRARequests: true, FeatureGates: gates,
		MinValuesPolicy: options.MinValuesPolicyStrict, PreferencePolicy: options.PreferencePolicyRespect,
	})
	types := []*cloudprovider.InstanceType{spotType("own", 1)}
	for index := range asked.Cheaper {
		types = append(types, spotType(fmt.Sprintf("cheaper-%d", index), 0.5+float64(index)/1000))
	}
	for index := range asked.Dearer {
		types = append(types, spotType(fmt.Sprintf("dearer-%d", index), 10+float64(index)))
	}
	pool := &v1.NodePool{ObjectMeta: metav1.ObjectMeta{Name: "pool"}}
	pool.Spec.Disruption.ConsolidateAfter = v1.MustParseNillableDuration("0s")
	pool.Spec.Disruption.ConsolidationPolicy = v1.ConsolidationPolicyWhenEmptyOrUnderutilized
	pool.Spec.Template.Spec.NodeClassRef = &v1.NodeClassReference{Group: "karpenter.k8s.aws", Kind: "EC2NodeClass", Name: "default"}
	pool.Spec.Template.Spec.Requirements = []v1.NodeSelectorRequirementWithMinValues{
		{Key: v1.CapacityTypeLabelKey, Operator: corev1.NodeSelectorOpIn, Values: []string{v1.CapacityTypeSpot}},
		{Key: corev1.LabelInstanceTypeStable, Operator: corev1.NodeSelectorOpExists, MinValues: asked.MinValues},
	}
	objects := []client.Object{pool}
	for index := range asked.Nodes {
		objects = append(objects, spotNode(pool, index)...)
	}
	kube := newReader(true)
	for _, object := range objects {
		setDefaults(object)
		kube.add(object.DeepCopyObject().(client.Object))
	}
	cloud := &provider{types: types}
	cluster := state.NewCluster(clock.RealClock{}, kube, cloud)
	if err := track(ctx, cluster, objects); err != nil {
		fail(err)
	}
	said := &hearing{}
	provisioner := provisioning.NewProvisioner(
		kube, said, cloud, cluster, clock.RealClock{}, deviceallocation.NewController(kube), virtualpods.NewVirtualPodCache(kube),
	)
	queue := disruption.NewQueue(kube, said, cluster, clock.RealClock{}, provisioner)
	base := disruption.MakeConsolidation(clock.RealClock{}, cluster, kube, provisioner, cloud, said, queue)
	cluster.MarkUnconsolidated()
	var method disruption.Method = disruption.NewSingleNodeConsolidation(base, disruption.WithValidator(trusting{}))
	if asked.Nodes > 1 {
		method = disruption.NewMultiNodeConsolidation(base, disruption.WithValidator(trusting{}))
	}
	candidates, err := disruption.GetCandidates(
		ctx, cluster, kube, said, clock.RealClock{}, cloud, method.ShouldDisrupt, method.Class(), queue,
	)
	if err != nil {
		fail(err)
	}
	commands, err := method.ComputeCommands(ctx, map[string]int{pool.Name: asked.Nodes}, candidates...)
	if err != nil {
		fail(err)
	}
	answer := map[string]int{"candidates": len(candidates), "replaced": 0, "types": 0}
	for _, command := range commands {
		answer["replaced"] += len(command.Candidates)
		for _, replacement := range command.Replacements {
			answer["types"] += len(replacement.InstanceTypeOptions)
		}
	}
	return map[string]any{"sums": answer, "said": said.messages}
}

func spotType(name string, price float64) *cloudprovider.InstanceType {
	spot := []*scheduling.Requirement{
		scheduling.NewRequirement(v1.CapacityTypeLabelKey, corev1.NodeSelectorOpIn, v1.CapacityTypeSpot),
		scheduling.NewRequirement(corev1.LabelTopologyZone, corev1.NodeSelectorOpIn, zone),
	}
	return &cloudprovider.InstanceType{
		Name: name,
		Requirements: scheduling.NewRequirements(append(spot,
			scheduling.NewRequirement(corev1.LabelInstanceTypeStable, corev1.NodeSelectorOpIn, name))...),
		Offerings: cloudprovider.Offerings{{Requirements: scheduling.NewRequirements(spot...), Price: price, Available: true}},
		Capacity:  spotCapacity,
		Overhead:  &cloudprovider.InstanceTypeOverhead{},
	}
}

var spotCapacity = corev1.ResourceList{
	corev1.ResourceCPU:    resource.MustParse("8"),
	corev1.ResourceMemory: resource.MustParse("16Gi"),
	corev1.ResourcePods:   resource.MustParse("50"),
}

// A node with its NodeClaim and a pod.
func spotNode(pool *v1.NodePool, index int) []client.Object {
	name, id := fmt.Sprintf("node-%d", index), fmt.Sprintf("aws:///%d", index)
	labels := map[string]string{
		v1.NodePoolLabelKey: pool.Name, v1.CapacityTypeLabelKey: v1.CapacityTypeSpot, corev1.LabelTopologyZone: zone,
		corev1.LabelInstanceTypeStable: "own", corev1.LabelHostname: name,
		v1.NodeRegisteredLabelKey: "true", v1.NodeInitializedLabelKey: "true",
	}
	claim := &v1.NodeClaim{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
	claim.Spec.NodeClassRef = pool.Spec.Template.Spec.NodeClassRef
	claim.Status.ProviderID, claim.Status.NodeName = id, name
	claim.Status.Capacity, claim.Status.Allocatable = spotCapacity, spotCapacity
	for _, condition := range []string{
		v1.ConditionTypeLaunched, v1.ConditionTypeRegistered, v1.ConditionTypeInitialized, v1.ConditionTypeConsolidatable,
	} {
		claim.StatusConditions().SetTrue(condition)
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
	node.Spec.ProviderID = id
	node.Status.Capacity, node.Status.Allocatable = spotCapacity, spotCapacity
	isController := true
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", OwnerReferences: []metav1.OwnerReference{
		{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", Controller: &isController},
	}}}
	pod.Spec.NodeName = name
	pod.Spec.Containers = []corev1.Container{{Name: "web", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
	}}}
	// The other nodes have no room for it.
	node.Status.Allocatable = corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("1"), corev1.ResourceMemory: resource.MustParse("1Gi"), corev1.ResourcePods: resource.MustParse("1"),
	}
	return []client.Object{claim, node, pod}
}

// trusting takes each command as valid: nothing changes meanwhile.
type trusting struct{}

func (trusting) Validate(_ context.Context, command disruption.Command, _ time.Duration) (disruption.Command, error) {
	return command, nil
}

// hearing keeps what is said about NodeClaims.
type hearing struct{ messages []string }

func (h *hearing) Publish(all ...events.Event) {
	for _, event := range all {
		if _, ok := event.InvolvedObject.(*v1.NodeClaim); ok {
			h.messages = append(h.messages, event.Message)
		}
	}
}

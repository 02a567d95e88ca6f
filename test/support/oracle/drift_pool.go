package main

import (
	"encoding/json"
	_ "unsafe" // for linkname

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	_ "sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/disruption"
	provisioning "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// Karpenter's own, which its controller for drift asks and no other package can name.
//
//go:linkname areStaticFieldsDrifted sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/disruption.areStaticFieldsDrifted
func areStaticFieldsDrifted(*v1.NodePool, *v1.NodeClaim) cloudprovider.DriftReason

//go:linkname areRequirementsDrifted sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/disruption.areRequirementsDrifted
func areRequirementsDrifted(*v1.NodePool, *v1.NodeClaim) cloudprovider.DriftReason

// A possible launch: an instance type with one offering, the labels that the provider sets on the instance, and the
// requirements of the pods.
type launch struct {
	Type   []entry           `json:"type"`
	Labels map[string]string `json:"labels"`
	Pods   []entry           `json:"pods"`
}

type driftAnswer struct {
	Labels map[string]string `json:"labels"`
	// Drift reasons of the node, for its pool before and after the change.
	Before string `json:"before"`
	After  string `json:"after"`
}

// The node of each launch that the pool before the change keeps, and null for the others.
func driftPool(question json.RawMessage) any {
	var asked struct {
		Before   v1.NodePool `json:"before"`
		After    v1.NodePool `json:"after"`
		Launches []launch    `json:"launches"`
	}
	read(question, &asked)
	before, after := hashed(asked.Before), hashed(asked.After)
	answers := []*driftAnswer{}
	for _, one := range asked.Launches {
		claim := claimOf(before, one)
		if claim == nil {
			answers = append(answers, nil)
			continue
		}
		answers = append(answers, &driftAnswer{
			Labels: claim.Labels,
			Before: string(drifted(before, claim)),
			After:  string(drifted(after, claim)),
		})
	}
	return answers
}

// As the controller that hashes pools does (pkg/controllers/nodepool/hash).
func hashed(pool v1.NodePool) *v1.NodePool {
	pool.Annotations = map[string]string{
		v1.NodePoolHashAnnotationKey:        pool.Hash(),
		v1.NodePoolHashVersionAnnotationKey: v1.NodePoolHashVersion,
	}
	return &pool
}

func drifted(pool *v1.NodePool, claim *v1.NodeClaim) cloudprovider.DriftReason {
	if reason := areStaticFieldsDrifted(pool, claim); reason != "" {
		return reason
	}
	return areRequirementsDrifted(pool, claim)
}

// As NodeClaim.CanAdd, its filter for instance types, ToNodeClaim and PopulateNodeClaimDetails in sequence.
func claimOf(pool *v1.NodePool, one launch) *v1.NodeClaim {
	template := provisioning.NewNodeClaimTemplate(pool)
	pods := scheduling.NewNodeSelectorRequirementsWithMinValues(one.Pods...)
	if template.Requirements.Compatible(pods, scheduling.AllowUndefinedWellKnownLabels) != nil {
		return nil
	}
	template.Requirements.Add(pods.Values()...)
	offered := scheduling.NewRequirements()
	for _, key := range []string{corev1.LabelTopologyZone, v1.CapacityTypeLabelKey} {
		offered.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpIn, one.Labels[key]))
	}
	instanceType := &cloudprovider.InstanceType{
		Name:         one.Labels[corev1.LabelInstanceTypeStable],
		Requirements: scheduling.NewNodeSelectorRequirementsWithMinValues(one.Type...),
		Offerings:    cloudprovider.Offerings{{Requirements: offered, Available: true, Price: 1}},
		Capacity:     corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")},
		Overhead:     &cloudprovider.InstanceTypeOverhead{},
	}
	if instanceType.Requirements.Intersects(template.Requirements) != nil {
		return nil
	}
	if !template.Requirements.IsCompatible(offered, scheduling.AllowUndefinedWellKnownLabels) {
		return nil
	}
	template.InstanceTypeOptions = cloudprovider.InstanceTypes{instanceType}
	claim := template.ToNodeClaim()
	labels := map[string]string{}
	for key, value := range one.Labels {
		labels[key] = value
	}
	for key, value := range claim.Labels {
		labels[key] = value
	}
	claim.Labels = labels
	return claim
}

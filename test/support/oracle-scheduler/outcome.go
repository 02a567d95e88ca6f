package main

import (
	"math"
	"sort"

	corev1 "k8s.io/api/core/v1"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// outcome is one of the distinct results of the runs.
type outcome struct {
	// How many runs had it.
	Count      int         `json:"count"`
	NodeClaims []nodeClaim `json:"nodeClaims"`
	Existing   []existing  `json:"existing"`
	// By pod; the messages of the first run that had this outcome.
	Errors map[string]string `json:"errors"`
}

type nodeClaim struct {
	NodePool string   `json:"nodePool"`
	Pods     []string `json:"pods"`
	// The cheapest first, by name where prices are equal.
	InstanceTypes []string                                  `json:"instanceTypes"`
	Zones         []string                                  `json:"zones"`
	CapacityTypes []string                                  `json:"capacityTypes"`
	Requirements  []v1.NodeSelectorRequirementWithMinValues `json:"requirements"`
	Requests      corev1.ResourceList                       `json:"requests"`
	// Of the cheapest offering that may be launched; 0 if none may.
	Price float64 `json:"price"`
}

type existing struct {
	Node string   `json:"node"`
	Pods []string `json:"pods"`
}

func outcomeOf(results scheduler.Results) outcome {
	made := outcome{NodeClaims: []nodeClaim{}, Existing: []existing{}, Errors: map[string]string{}}
	for _, claim := range results.NewNodeClaims {
		made.NodeClaims = append(made.NodeClaims, nodeClaimOf(claim))
	}
	sort.Slice(made.NodeClaims, func(i, j int) bool { return first(made.NodeClaims[i].Pods) < first(made.NodeClaims[j].Pods) })
	for _, node := range results.ExistingNodes {
		if len(node.Pods) > 0 {
			made.Existing = append(made.Existing, existing{Node: node.Name(), Pods: namesOf(node.Pods)})
		}
	}
	sort.Slice(made.Existing, func(i, j int) bool { return made.Existing[i].Node < made.Existing[j].Node })
	for pod, err := range results.PodErrors {
		made.Errors[nameOf(pod)] = err.Error()
	}
	return made
}

func nodeClaimOf(claim *scheduler.NodeClaim) nodeClaim {
	made := nodeClaim{NodePool: claim.NodePoolName, Pods: namesOf(claim.Pods), Requests: claim.Spec.Resources.Requests}
	cheapest := map[string]float64{}
	zones, capacityTypes := map[string]bool{}, map[string]bool{}
	for _, one := range claim.InstanceTypeOptions {
		made.InstanceTypes = append(made.InstanceTypes, one.Name)
		cheapest[one.Name] = math.MaxFloat64
		compatible := one.Offerings.Launchable().Compatible(claim.Requirements)
		for _, offering := range compatible {
			zones[offering.Zone()] = true
			capacityTypes[offering.CapacityType()] = true
			cheapest[one.Name] = min(cheapest[one.Name], offering.Price)
		}
	}
	sort.Slice(made.InstanceTypes, func(i, j int) bool {
		a, b := made.InstanceTypes[i], made.InstanceTypes[j]
		if cheapest[a] != cheapest[b] {
			return cheapest[a] < cheapest[b]
		}
		return a < b
	})
	if price := cheapest[first(made.InstanceTypes)]; price < math.MaxFloat64 {
		made.Price = price
	}
	made.Zones, made.CapacityTypes = sorted(zones), sorted(capacityTypes)
	made.Requirements = requirementsOf(claim.Requirements)
	return made
}

func requirementsOf(requirements scheduling.Requirements) []v1.NodeSelectorRequirementWithMinValues {
	entries := []v1.NodeSelectorRequirementWithMinValues{}
	for _, one := range requirements.NodeSelectorRequirements() {
		if one.Key == v1.NodeRegisteredLabelKey || one.Key == v1.NodeInitializedLabelKey {
			continue
		}
		sort.Strings(one.Values)
		entries = append(entries, one)
	}
	sort.Slice(entries, func(i, j int) bool {
		if entries[i].Key != entries[j].Key {
			return entries[i].Key < entries[j].Key
		}
		return entries[i].Operator < entries[j].Operator
	})
	return entries
}

func namesOf(pods []*corev1.Pod) []string {
	names := []string{}
	for _, pod := range pods {
		names = append(names, nameOf(pod))
	}
	sort.Strings(names)
	return names
}

func nameOf(pod *corev1.Pod) string { return pod.Namespace + "/" + pod.Name }

func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

func sorted(set map[string]bool) []string {
	names := []string{}
	for name := range set {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

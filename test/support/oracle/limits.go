package main

import (
	"encoding/json"
	_ "unsafe" // for linkname

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	_ "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

//go:linkname filterByRemainingResources sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling.filterByRemainingResources
func filterByRemainingResources([]*cloudprovider.InstanceType, corev1.ResourceList) []*cloudprovider.InstanceType

// The names of the instance types that fit what is left of the limits of a pool.
func withinLimits(question json.RawMessage) any {
	var asked struct {
		Types []struct {
			Name     string              `json:"name"`
			Capacity corev1.ResourceList `json:"capacity"`
		} `json:"types"`
		Remaining corev1.ResourceList `json:"remaining"`
	}
	read(question, &asked)
	types := []*cloudprovider.InstanceType{}
	for _, one := range asked.Types {
		types = append(types, &cloudprovider.InstanceType{Name: one.Name, Capacity: one.Capacity})
	}
	names := []string{}
	for _, one := range filterByRemainingResources(types, asked.Remaining) {
		names = append(names, one.Name)
	}
	return names
}

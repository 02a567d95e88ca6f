package main

import (
	"encoding/json"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeoverlay"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

//go:linkname newOverlayStore sigs.k8s.io/karpenter/pkg/controllers/nodeoverlay.newInternalInstanceTypeStore
func newOverlayStore() unsafe.Pointer

//go:linkname updateByOverlay sigs.k8s.io/karpenter/pkg/controllers/nodeoverlay.(*Controller).validateAndUpdateInstanceTypeOverrides
func updateByOverlay(*nodeoverlay.Controller, unsafe.Pointer, []v1.NodePool, map[string][]*cloudprovider.InstanceType, v1alpha1.NodeOverlay) bool

//go:linkname applyOverlays sigs.k8s.io/karpenter/pkg/controllers/nodeoverlay.(*internalInstanceTypeStore).apply
func applyOverlays(unsafe.Pointer, string, *cloudprovider.InstanceType) *cloudprovider.InstanceType

// The prices and the capacity of instance types of each pool, and the overlays that conflict with others, as the
// controller of NodeOverlays computes them.
func overlays(question json.RawMessage) any {
	var asked struct {
		Overlays []v1alpha1.NodeOverlay `json:"overlays"`
		Pools    []v1.NodePool          `json:"pools"`
		Types    []struct {
			Name         string                           `json:"name"`
			Requirements []corev1.NodeSelectorRequirement `json:"requirements"`
			Offerings    []struct {
				Requirements []corev1.NodeSelectorRequirement `json:"requirements"`
				Price        float64                          `json:"price"`
			} `json:"offerings"`
		} `json:"types"`
	}
	read(question, &asked)
	types := []*cloudprovider.InstanceType{}
	for _, one := range asked.Types {
		it := &cloudprovider.InstanceType{
			Name:         one.Name,
			Requirements: scheduling.NewNodeSelectorRequirements(one.Requirements...),
			Capacity:     corev1.ResourceList{},
		}
		for _, offering := range one.Offerings {
			it.Offerings = append(it.Offerings, &cloudprovider.Offering{
				Requirements: scheduling.NewNodeSelectorRequirements(offering.Requirements...),
				Price:        offering.Price,
				Available:    true,
			})
		}
		types = append(types, it)
	}
	byPool := map[string][]*cloudprovider.InstanceType{}
	for _, pool := range asked.Pools {
		byPool[pool.Name] = types
	}
	list := &v1alpha1.NodeOverlayList{Items: asked.Overlays}
	list.OrderByWeight()
	store := newOverlayStore()
	conflicting := []string{}
	for _, overlay := range list.Items {
		if !updateByOverlay(&nodeoverlay.Controller{}, store, asked.Pools, byPool, overlay) {
			conflicting = append(conflicting, overlay.Name)
		}
	}
	type result struct {
		Capacity corev1.ResourceList `json:"capacity"`
		Prices   []float64           `json:"prices"`
	}
	results := map[string]map[string]result{}
	for _, pool := range asked.Pools {
		results[pool.Name] = map[string]result{}
		for _, it := range types {
			applied := applyOverlays(store, pool.Name, it)
			prices := []float64{}
			for _, offering := range applied.Offerings {
				prices = append(prices, offering.Price)
			}
			results[pool.Name][it.Name] = result{Capacity: applied.Capacity, Prices: prices}
		}
	}
	return map[string]any{"conflicting": conflicting, "pools": results}
}

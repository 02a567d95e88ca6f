package main

import (
	"encoding/json"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/lifecycle"
	provisioning "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// As often as NodeClaims are made of one pool where its labels are left to chance: a value of eight is
// missed once in 10^17 times.
const tries = 300

type instanceKind struct {
	*cloudprovider.InstanceType
	offering *cloudprovider.Offering
}

// What nodes a pool gets that its own entries, or the policy's, do not admit by their labels.
func nodeLabels(question json.RawMessage) any {
	var asked struct {
		Policy []entry     `json:"policy"`
		Pool   v1.NodePool `json:"pool"`
		// What a pod asks for besides; nothing where it is left out.
		Pod []entry `json:"pod"`
	}
	read(question, &asked)
	policy := byKey(asked.Policy)
	alone := v1.NodePool{ObjectMeta: asked.Pool.ObjectMeta}
	alone.Spec.Template.Spec.NodeClassRef = asked.Pool.Spec.Template.Spec.NodeClassRef
	alone.Spec.Template.Spec.Requirements = asked.Policy
	pods := append([]scheduling.Requirements{nil}, podsWithout(policy)...)
	if len(asked.Pod) > 0 {
		pods = []scheduling.Requirements{scheduling.NewNodeSelectorRequirementsWithMinValues(asked.Pod...)}
	}
	pool := seenOf(&asked.Pool, policy, pods)
	return map[string]any{
		"types": pool.types,
		// Instance types that a pool which asks for nothing would not get.
		"outside": outside(&asked.Pool, &alone),
		"claim":   pool.claim,
		"breaks":  sorted(pool.breaks),
		// The same of a pool that asks for nothing: what the policy lets pass by itself.
		"ownBreaks": sorted(seenOf(&alone, policy, pods).breaks),
		"drifts":    pool.drifts,
		"stays":     pool.stays,
	}
}

func outside(pool, alone *v1.NodePool) int {
	admitted := kindsOf(provisioning.NewNodeClaimTemplate(alone).Requirements)
	count := 0
	for _, kind := range kindsOf(provisioning.NewNodeClaimTemplate(pool).Requirements) {
		if !slices.Contains(admitted, kind) {
			count++
		}
	}
	return count
}

type seen struct {
	types int
	// The longest list of requirements of a NodeClaim without a pod's.
	claim int
	// Keys of the policy whose entries a node's label, or its absence, breaks.
	breaks map[string]bool
	// NodeClaims for pods without wishes that drift as soon as they are up, and that do not.
	drifts, stays int
}

func seenOf(pool *v1.NodePool, policy map[string]scheduling.Requirements, pods []scheduling.Requirements) seen {
	found := seen{breaks: map[string]bool{}}
	for _, pod := range pods {
		template := provisioning.NewNodeClaimTemplate(pool)
		if pod != nil && !template.Requirements.IsCompatible(pod, scheduling.AllowUndefinedWellKnownLabels) {
			continue
		}
		kinds := kindsOf(template.Requirements)
		if pod == nil {
			found.types = len(kinds)
		}
		times := 1
		if pod == nil && isRandom(template.Requirements) {
			times = tries/max(len(kinds), 1) + 1
		}
		for _, kind := range kinds {
			for range times {
				found.launch(pool, template, pod, kind, policy)
			}
		}
	}
	return found
}

// A pod that wants no label, for each key of the policy.
func podsWithout(policy map[string]scheduling.Requirements) []scheduling.Requirements {
	pods := []scheduling.Requirements{}
	for key := range policy {
		pods = append(pods, scheduling.NewRequirements(scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist)))
	}
	return pods
}

// Whether labels are left to chance: of several values that are listed, or of the numbers below a bound. Of all numbers
// none is seen twice.
func isRandom(requirements scheduling.Requirements) bool {
	for key, requirement := range requirements {
		if v1.WellKnownLabels.Has(key) || requirement.Len() < 2 {
			continue
		}
		for _, entry := range (scheduling.Requirements{key: requirement}).NodeSelectorRequirements() {
			if entry.Operator == corev1.NodeSelectorOpIn || entry.Operator == v1.NodeSelectorOpLte {
				return true
			}
		}
	}
	return false
}

func (found *seen) launch(pool *v1.NodePool, of *provisioning.NodeClaimTemplate, pod scheduling.Requirements, kind instanceKind, policy map[string]scheduling.Requirements) {
	// A copy for each NodeClaim, as NewNodeClaim of pkg/controllers/provisioning/scheduling/nodeclaim.go makes it.
	template := *of
	template.Requirements = scheduling.NewRequirements(of.Requirements.Values()...)
	template.Requirements.Add(pod.Values()...)
	template.InstanceTypeOptions = cloudprovider.InstanceTypes{kind.InstanceType}
	claim := template.ToNodeClaim()
	lifecycle.PopulateNodeClaimDetails(claim, kind.created())
	labels := scheduling.NewLabelRequirements(claim.Labels)
	for key, requirements := range policy {
		if !labels.IsCompatible(requirements) {
			found.breaks[key] = true
		}
	}
	if pod != nil {
		return
	}
	found.claim = max(found.claim, len(claim.Spec.Requirements))
	// areRequirementsDrifted of pkg/controllers/nodeclaim/disruption/drift.go.
	if labels.IsCompatible(scheduling.NewNodeSelectorRequirementsWithMinValues(pool.Spec.Template.Spec.Requirements...)) {
		found.stays++
	} else {
		found.drifts++
	}
}

func byKey(entries []entry) map[string]scheduling.Requirements {
	groups := map[string]scheduling.Requirements{}
	for key, requirement := range scheduling.NewNodeSelectorRequirementsWithMinValues(entries...) {
		groups[key] = scheduling.Requirements{key: requirement}
	}
	return groups
}

func sorted(keys map[string]bool) []string {
	list := []string{}
	for key := range keys {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}

var sampleKinds = kinds()

// The kinds that the scheduler leaves (`compatible` and `fits` of pkg/controllers/provisioning/scheduling/nodeclaim.go).
func kindsOf(requirements scheduling.Requirements) []instanceKind {
	left := []instanceKind{}
	for _, kind := range sampleKinds {
		fits := requirements.IsCompatible(kind.offering.Requirements, scheduling.AllowUndefinedWellKnownLabels)
		if fits && kind.Requirements.Intersects(requirements) == nil {
			left = append(left, kind)
		}
	}
	return left
}

// Types with and without GPUs, of either architecture, each in one zone: with every well-known label but those of
// placement groups, as the AWS provider has them (computeRequirements of pkg/providers/instancetype/types.go).
func kinds() []instanceKind {
	list := []instanceKind{}
	for index, gpus := range []string{"", "1", "3", "5"} {
		arch := []string{"amd64", "arm64"}[index%2]
		zone := []string{"zone-a", "zone-b"}[index/2]
		capacity := []string{"on-demand", "spot"}[index%2]
		of := func(key, value string) *scheduling.Requirement {
			return scheduling.NewRequirement(key, corev1.NodeSelectorOpIn, value)
		}
		placed := []*scheduling.Requirement{of(corev1.LabelTopologyZone, zone), of(v1.CapacityTypeLabelKey, capacity)}
		requirements := scheduling.NewRequirements(placed...)
		requirements.Add(
			of(corev1.LabelInstanceTypeStable, "type-"+strconv.Itoa(index)),
			of(corev1.LabelArchStable, arch),
			of(corev1.LabelOSStable, "linux"),
			of(corev1.LabelTopologyRegion, "region"),
			of("karpenter.k8s.aws/instance-cpu", strconv.Itoa(4*index+4)),
		)
		if gpus != "" {
			requirements.Add(of("karpenter.k8s.aws/instance-gpu-count", gpus))
		}
		for key := range v1.WellKnownLabels {
			if key != v1.NodePoolLabelKey && !requirements.Has(key) {
				requirements.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist))
			}
		}
		offering := &cloudprovider.Offering{Requirements: scheduling.NewRequirements(placed...), Available: true, Price: 1}
		it := &cloudprovider.InstanceType{
			Name:         "type-" + strconv.Itoa(index),
			Requirements: requirements,
			Offerings:    cloudprovider.Offerings{offering},
		}
		list = append(list, instanceKind{it, offering})
	}
	return list
}

// What the provider says of an instance that it launched (instanceToNodeClaim of pkg/cloudprovider/cloudprovider.go).
func (kind instanceKind) created() *v1.NodeClaim {
	labels := map[string]string{}
	for key, requirement := range kind.Requirements {
		if requirement.Len() == 1 {
			labels[key] = requirement.Values()[0]
		}
	}
	return &v1.NodeClaim{ObjectMeta: metav1.ObjectMeta{Labels: labels}}
}

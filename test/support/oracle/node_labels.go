package main

import (
	"encoding/json"
	"math/rand"
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

// The number of NodeClaims for each pool with random labels: one of eight values is missed once in 10^17 runs.
const tries = 300

type instanceKind struct {
	*cloudprovider.InstanceType
	offering *cloudprovider.Offering
}

// Answers which nodes of a pool have labels that its own entries, or the policy's, do not admit.
func nodeLabels(question json.RawMessage) any {
	var asked struct {
		Policy []entry     `json:"policy"`
		Pool   v1.NodePool `json:"pool"`
		// The node class: a name of `classes`.
		Class string `json:"class"`
		// Requirements of the pod; optional.
		Pod []entry `json:"pod"`
		// Pods that arrive one after another and share a node, each with its requirements.
		Pods [][]entry `json:"pods"`
	}
	read(question, &asked)
	policy := byKey(asked.Policy)
	alone := v1.NodePool{ObjectMeta: asked.Pool.ObjectMeta}
	alone.Spec.Template.Spec.NodeClassRef = asked.Pool.Spec.Template.Spec.NodeClassRef
	alone.Spec.Template.Spec.Requirements = asked.Policy
	groups := podsWithout(policy)
	if len(asked.Pod) > 0 {
		groups = [][]scheduling.Requirements{{scheduling.NewNodeSelectorRequirementsWithMinValues(asked.Pod...)}}
	} else {
		groups = append([][]scheduling.Requirements{nil}, groups...)
	}
	kinds := classes[asked.Class]
	pool := seenOf(&asked.Pool, policy, groups, kinds)
	together := []scheduling.Requirements{}
	for _, pod := range asked.Pods {
		together = append(together, scheduling.NewNodeSelectorRequirementsWithMinValues(pod...))
	}
	ofPods := seen{}
	if len(together) > 0 {
		ofPods = seenOf(&asked.Pool, policy, [][]scheduling.Requirements{together}, kinds)
	}
	return map[string]any{
		"types": pool.types,
		// Instance types that a pool without own requirements would not get.
		"outside": outside(&asked.Pool, &alone, kinds),
		"claim":   pool.claim,
		"breaks":  sorted(pool.breaks),
		// The same for a pool without own requirements: misfits of the policy alone.
		"ownBreaks": sorted(seenOf(&alone, policy, groups, kinds).breaks),
		"podBreaks": sorted(ofPods.breaks),
		"drifts":    pool.drifts,
		"stays":     pool.stays,
	}
}

func outside(pool, alone *v1.NodePool, kinds []instanceKind) int {
	admitted := kindsOf(provisioning.NewNodeClaimTemplate(alone).Requirements, kinds)
	count := 0
	for _, kind := range launchedOf(pool, kinds) {
		if !slices.Contains(admitted, kind) {
			count++
		}
	}
	return count
}

func launchedOf(pool *v1.NodePool, kinds []instanceKind) []instanceKind {
	template := provisioning.NewNodeClaimTemplate(pool)
	if !template.IsStaticNodeClaim {
		return kindsOf(template.Requirements, kinds)
	}
	return kindsOfClaim(template, kinds)
}

type seen struct {
	types int
	// The longest list of requirements of a NodeClaim without a pod's.
	claim int
	// Keys of the policy with entries that a node's label, or its absence, violates.
	breaks map[string]bool
	// Whether NodeClaims for pods without requirements drift as soon as they are registered.
	drifts, stays int
}

// Pods of one group share a node.
func seenOf(pool *v1.NodePool, policy map[string]scheduling.Requirements, groups [][]scheduling.Requirements, all []instanceKind) seen {
	found := seen{breaks: map[string]bool{}}
	for _, pods := range groups {
		template := provisioning.NewNodeClaimTemplate(pool)
		if template.IsStaticNodeClaim && pods != nil {
			continue
		}
		kinds := launchedOf(pool, all)
		if pods == nil {
			found.types = len(kinds)
		} else {
			kinds = addPods(template, pods, kinds, all)
		}
		kinds = reserved(template, kinds)
		times := 1
		if isRandom(template.Requirements) {
			times = tries/max(len(kinds), 1) + 1
		}
		// For pods, the merged requirements matter more than the chosen value.
		if pods != nil {
			times = min(times, 5)
		}
		for _, kind := range kinds {
			for range times {
				found.launch(pool, template, pods, kind, policy)
			}
		}
	}
	return found
}

// As CanAdd and Add of pkg/controllers/provisioning/scheduling/nodeclaim.go: a pod with contradicting requirements
// goes to another node. The instance types are those that the pool allows, with all their offerings.
func addPods(template *provisioning.NodeClaimTemplate, pods []scheduling.Requirements, kinds, all []instanceKind) []instanceKind {
	for _, pod := range pods {
		if !template.Requirements.IsCompatible(pod, scheduling.AllowUndefinedWellKnownLabels) {
			continue
		}
		together := scheduling.NewRequirements(template.Requirements.Values()...)
		together.Add(pod.Values()...)
		left := []instanceKind{}
		for _, kind := range kindsOf(together, all) {
			if slices.ContainsFunc(kinds, func(other instanceKind) bool { return other.InstanceType == kind.InstanceType }) {
				left = append(left, kind)
			}
		}
		if len(left) == 0 {
			continue
		}
		template.Requirements, kinds = together, left
	}
	return kinds
}

// If a reservation has room, the NodeClaim requires it (FinalizeScheduling of nodeclaim.go), and the provider uses it
// first (getCapacityType of pkg/providers/instance/instance.go); full reservations are not available.
func reserved(template *provisioning.NodeClaimTemplate, kinds []instanceKind) []instanceKind {
	inReservation, others, ids := []instanceKind{}, []instanceKind{}, []string{}
	for _, kind := range kinds {
		if kind.offering.CapacityType() != v1.CapacityTypeReserved {
			others = append(others, kind)
		} else if kind.offering.ReservationCapacity > 0 {
			inReservation = append(inReservation, kind)
			ids = append(ids, kind.offering.ReservationID())
		}
	}
	if len(inReservation) == 0 {
		return others
	}
	if !template.IsStaticNodeClaim {
		template.Requirements[v1.CapacityTypeLabelKey] = scheduling.NewRequirement(v1.CapacityTypeLabelKey, corev1.NodeSelectorOpIn, v1.CapacityTypeReserved)
		template.Requirements.Add(scheduling.NewRequirement(cloudprovider.ReservationIDLabel, corev1.NodeSelectorOpIn, ids...))
	}
	return inReservation
}

// A pod that requires the absence of a label, for each key of the policy.
func podsWithout(policy map[string]scheduling.Requirements) [][]scheduling.Requirements {
	pods := [][]scheduling.Requirements{}
	for key := range policy {
		pod := scheduling.NewRequirements(scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist))
		pods = append(pods, []scheduling.Requirements{pod})
	}
	return pods
}

// Whether labels are random: among several listed values, numbers below a bound, or partitions. An unbounded number
// never repeats.
func isRandom(requirements scheduling.Requirements) bool {
	for key, requirement := range requirements {
		if key == partition {
			return true
		}
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

func (found *seen) launch(pool *v1.NodePool, of *provisioning.NodeClaimTemplate, pods []scheduling.Requirements, kind instanceKind, policy map[string]scheduling.Requirements) {
	// A copy for each NodeClaim, as NewNodeClaim of pkg/controllers/provisioning/scheduling/nodeclaim.go makes it.
	template := *of
	template.Requirements = scheduling.NewRequirements(of.Requirements.Values()...)
	template.InstanceTypeOptions = cloudprovider.InstanceTypes{kind.InstanceType}
	claim := template.ToNodeClaim()
	lifecycle.PopulateNodeClaimDetails(claim, kind.created(claim))
	labels := scheduling.NewLabelRequirements(claim.Labels)
	for key, requirements := range policy {
		if !labels.IsCompatible(requirements) {
			found.breaks[key] = true
		}
	}
	if pods != nil {
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

var classes = map[string][]instanceKind{
	"":           kinds("plain"),
	"plain":      kinds("plain"),
	"group":      kinds("group"),
	"partitions": kinds("partitions"),
	"reserved":   kinds("reserved"),
	"full":       kinds("full"),
}

// The instance types that the scheduler keeps (`compatible` and `fits` of
// pkg/controllers/provisioning/scheduling/nodeclaim.go).
func kindsOf(requirements scheduling.Requirements, kinds []instanceKind) []instanceKind {
	left := []instanceKind{}
	for _, kind := range kinds {
		fits := requirements.IsCompatible(kind.offering.Requirements, scheduling.AllowUndefinedWellKnownLabels)
		if fits && kind.Requirements.Intersects(requirements) == nil {
			left = append(left, kind)
		}
	}
	return left
}

// For a static pool only the provider filters, by the NodeClaim (filterInstanceTypes of the provider's
// pkg/providers/instance/instance.go).
func kindsOfClaim(template *provisioning.NodeClaimTemplate, kinds []instanceKind) []instanceKind {
	claim := (&provisioning.NodeClaimTemplate{
		NodeClaim: template.NodeClaim, Requirements: template.Requirements, IsStaticNodeClaim: true,
	}).ToNodeClaim()
	written := scheduling.NewNodeSelectorRequirementsWithMinValues(claim.Spec.Requirements...)
	left := []instanceKind{}
	for _, kind := range kinds {
		fits := written.IsCompatible(kind.offering.Requirements, scheduling.AllowUndefinedWellKnownLabels)
		if fits && written.IsCompatible(kind.Requirements, scheduling.AllowUndefinedWellKnownLabels) {
			left = append(left, kind)
		}
	}
	return left
}

const (
	groupID         = "karpenter.k8s.aws/placement-group-id"
	partition       = "karpenter.k8s.aws/placement-group-partition"
	reservationType = "karpenter.k8s.aws/capacity-reservation-type"
	interruptible   = "karpenter.k8s.aws/capacity-reservation-interruptible"
)

var partitions = []string{"1", "2", "3"}

// By type: id and type.
var reservations = map[int][]string{0: {"cr-1", "default"}, 2: {"cr-2", "capacity-block"}}

// Types with and without GPUs, of either architecture, each in one zone: with every well-known label, as the AWS
// provider sets them for a class (computeRequirements of pkg/providers/instancetype/types.go, and the resolvers of
// offerings).
func kinds(class string) []instanceKind {
	list := []instanceKind{}
	of := func(key string, values ...string) *scheduling.Requirement {
		return scheduling.NewRequirement(key, corev1.NodeSelectorOpIn, values...)
	}
	for index, gpus := range []string{"", "1", "3", "5"} {
		arch := []string{"amd64", "arm64"}[index%2]
		zone := of(corev1.LabelTopologyZone, []string{"zone-a", "zone-b"}[index/2])
		capacity := []string{"on-demand", "spot"}[index%2]
		requirements := scheduling.NewRequirements(
			zone,
			of(corev1.LabelInstanceTypeStable, "type-"+strconv.Itoa(index)),
			of(corev1.LabelArchStable, arch),
			of(corev1.LabelOSStable, "linux"),
			of(corev1.LabelTopologyRegion, "region"),
			of("karpenter.k8s.aws/instance-cpu", strconv.Itoa(4*index+4)),
		)
		if gpus != "" {
			requirements.Add(of("karpenter.k8s.aws/instance-gpu-count", gpus))
		}
		unreserved := scheduling.NewRequirements(zone, of(v1.CapacityTypeLabelKey, capacity))
		for _, key := range []string{cloudprovider.ReservationIDLabel, reservationType, interruptible} {
			unreserved.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist))
		}
		offerings := cloudprovider.Offerings{{Requirements: unreserved, Available: true, Price: 1}}
		if found := reservations[index]; found != nil && (class == "reserved" || class == "full") {
			labels := []*scheduling.Requirement{
				of(cloudprovider.ReservationIDLabel, found[0]), of(reservationType, found[1]), of(interruptible, "false"),
			}
			requirements.Add(labels...)
			requirements.Add(of(v1.CapacityTypeLabelKey, capacity, v1.CapacityTypeReserved))
			inside := scheduling.NewRequirements(append(labels, zone, of(v1.CapacityTypeLabelKey, v1.CapacityTypeReserved))...)
			room := map[string]int{"reserved": 3, "full": 0}[class]
			offerings = append(offerings, &cloudprovider.Offering{Requirements: inside, Available: true, ReservationCapacity: room})
		} else {
			requirements.Add(of(v1.CapacityTypeLabelKey, capacity))
		}
		if class == "group" || class == "partitions" {
			requirements.Add(of(groupID, "pg-1"))
		}
		if class == "partitions" {
			requirements.Add(of(partition, partitions...))
			all := cloudprovider.Offerings{}
			for _, number := range partitions {
				placed := scheduling.NewRequirements(unreserved.Values()...)
				placed.Add(of(partition, number))
				all = append(all, &cloudprovider.Offering{Requirements: placed, Available: true, Price: 1})
			}
			offerings = all
		}
		for key := range v1.WellKnownLabels {
			// Types of other classes do not have placement group labels.
			if key != v1.NodePoolLabelKey && key != groupID && key != partition && !requirements.Has(key) {
				requirements.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist))
			}
		}
		it := &cloudprovider.InstanceType{Name: "type-" + strconv.Itoa(index), Requirements: requirements, Offerings: offerings}
		for _, offering := range offerings {
			list = append(list, instanceKind{it, offering})
		}
	}
	return list
}

// Labels that the provider sets on a launched instance (instanceToNodeClaim of pkg/cloudprovider/cloudprovider.go).
func (kind instanceKind) created(claim *v1.NodeClaim) *v1.NodeClaim {
	labels := map[string]string{}
	for key, requirement := range kind.Requirements {
		if requirement.Len() == 1 {
			labels[key] = requirement.Values()[0]
		}
	}
	for _, key := range []string{cloudprovider.ReservationIDLabel, reservationType, interruptible} {
		delete(labels, key)
		if kind.offering.CapacityType() == v1.CapacityTypeReserved {
			labels[key] = kind.offering.Requirements.Get(key).Any()
		}
	}
	labels[v1.CapacityTypeLabelKey] = kind.offering.CapacityType()
	if kind.Requirements.Has(partition) {
		named := scheduling.NewNodeSelectorRequirementsWithMinValues(claim.Spec.Requirements...).Get(partition).Values()
		// EC2 chooses if none is given, and the registration hook reads the result.
		labels[partition] = partitions[rand.Intn(len(partitions))]
		if len(named) > 0 {
			labels[partition] = named[0]
		}
	}
	return &v1.NodeClaim{ObjectMeta: metav1.ObjectMeta{Labels: labels}}
}

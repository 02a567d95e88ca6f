package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/dynamicresources/deviceallocation"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/state/virtualpods"
)

type world struct {
	Objects []json.RawMessage `json:"objects"`
	Types   []instanceType    `json:"types"`
	// By pool, the types that it gets, where these are not all.
	TypesOfPool map[string][]string `json:"typesOfPool"`
	Options     struct {
		MinValuesPolicy   options.MinValuesPolicy           `json:"minValuesPolicy"`
		PreferencePolicy  options.PreferencePolicy          `json:"preferencePolicy"`
		SpreadConstraints []corev1.TopologySpreadConstraint `json:"defaultConstraints"`
		CapacityBuffer    bool                              `json:"capacityBuffer"`
	} `json:"options"`
	// How often it is run; each run has another order of Go's maps.
	Runs int `json:"runs"`
	// Whether objects are listed in their order here, and not in that of a map.
	InOrder bool `json:"inOrder"`
}

type reply struct {
	Outcomes []outcome `json:"outcomes,omitempty"`
	Panic    string    `json:"panic,omitempty"`
}

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
	// Of the cheapest offering that may be launched.
	Price float64 `json:"price"`
}

type existing struct {
	Node string   `json:"node"`
	Pods []string `json:"pods"`
}

func (w world) answer() reply {
	objects := w.read()
	types := []*cloudprovider.InstanceType{}
	for _, one := range w.Types {
		types = append(types, one.karpenters())
	}
	outcomes, places := []outcome{}, map[string]int{}
	for range max(w.Runs, 1) {
		one, err := w.run(objects, types)
		if err != nil {
			return reply{Panic: err.Error()}
		}
		errors := one.Errors
		one.Errors = map[string]string{}
		for pod := range errors {
			one.Errors[pod] = ""
		}
		key, _ := json.Marshal(one)
		place, seen := places[string(key)]
		if !seen {
			place = len(outcomes)
			places[string(key)] = place
			one.Errors = errors
			outcomes = append(outcomes, one)
		}
		outcomes[place].Count++
	}
	return reply{Outcomes: outcomes}
}

func (w world) read() []client.Object {
	objects := []client.Object{}
	for _, raw := range w.Objects {
		decoded, _, err := scheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
		if err != nil {
			panic(fmt.Errorf("%s: %w", raw, err))
		}
		object := decoded.(client.Object)
		setDefaults(object)
		objects = append(objects, object)
	}
	return objects
}

func (w world) run(objects []client.Object, types []*cloudprovider.InstanceType) (outcome, error) {
	ctx := options.ToContext(context.Background(), w.options())
	kube := newReader(w.InOrder)
	for _, object := range objects {
		// Karpenter may change what it reads without a copy.
		kube.add(object.DeepCopyObject().(client.Object))
	}
	cloud := &provider{types: types, ofPool: w.TypesOfPool}
	cluster := state.NewCluster(clock.RealClock{}, kube, cloud)
	if err := track(ctx, cluster, objects); err != nil {
		return outcome{}, err
	}
	virtual := virtualpods.NewVirtualPodCache(kube)
	provisioner := provisioning.NewProvisioner(
		kube, recorder{}, cloud, cluster, clock.RealClock{}, deviceallocation.NewController(kube), virtual,
	)
	results, err := provisioner.Schedule(ctx)
	if err != nil {
		return outcome{}, err
	}
	return outcomeOf(results), nil
}

func (w world) options() *options.Options {
	made := &options.Options{
		CPURequests:       1000,
		MinValuesPolicy:   options.MinValuesPolicyStrict,
		PreferencePolicy:  options.PreferencePolicyRespect,
		IgnoreDRARequests: true,
		FeatureGates:      options.DefaultFeatureGates(),
	}
	made.FeatureGates.CapacityBuffer = w.Options.CapacityBuffer
	if w.Options.MinValuesPolicy != "" {
		made.MinValuesPolicy = w.Options.MinValuesPolicy
	}
	if w.Options.PreferencePolicy != "" {
		made.PreferencePolicy = w.Options.PreferencePolicy
	}
	if len(w.Options.SpreadConstraints) > 0 {
		made.SchedulerConfig = &options.SchedulerConfiguration{
			PodTopologySpread: &options.PodTopologySpreadConfig{DefaultConstraints: w.Options.SpreadConstraints},
		}
	}
	return made
}

// The state of the cluster as its informers fill it, nodes before their pods.
func track(ctx context.Context, cluster *state.Cluster, objects []client.Object) error {
	for _, object := range objects {
		if claim, ok := object.(*v1.NodeClaim); ok {
			cluster.UpdateNodeClaim(claim.DeepCopy())
		}
	}
	for _, object := range objects {
		if node, ok := object.(*corev1.Node); ok {
			if err := cluster.UpdateNode(ctx, node.DeepCopy()); err != nil {
				return err
			}
		}
	}
	for _, object := range objects {
		switch object := object.(type) {
		case *corev1.Pod:
			if err := cluster.UpdatePod(ctx, object.DeepCopy()); client.IgnoreNotFound(err) != nil {
				return err
			}
		case *appsv1.DaemonSet:
			if err := cluster.UpdateDaemonSet(ctx, object.DeepCopy()); err != nil {
				return err
			}
		}
	}
	return nil
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
		compatible := one.Offerings.Launchable().Compatible(claim.Requirements)
		for _, offering := range compatible {
			zones[offering.Zone()] = true
			capacityTypes[offering.CapacityType()] = true
			if known, ok := cheapest[one.Name]; !ok || offering.Price < known {
				cheapest[one.Name] = offering.Price
			}
		}
	}
	sort.Slice(made.InstanceTypes, func(i, j int) bool {
		a, b := made.InstanceTypes[i], made.InstanceTypes[j]
		if cheapest[a] != cheapest[b] {
			return cheapest[a] < cheapest[b]
		}
		return a < b
	})
	made.Price = cheapest[first(made.InstanceTypes)]
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

type recorder struct{}

func (recorder) Publish(...events.Event) {}

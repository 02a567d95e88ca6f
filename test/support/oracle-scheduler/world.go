package main

import (
	"context"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/dynamicresources/deviceallocation"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
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

type recorder struct{}

func (recorder) Publish(...events.Event) {}

package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/awslabs/operatorpkg/status"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/utils/resources"
)

// Answers how many drifted nodes of a static pool Karpenter replaces and deletes at once.
func staticDrift(question json.RawMessage) any {
	var asked struct {
		Replicas int64 `json:"replicas"`
		// The nodes that may exist; nil without a limit.
		Limit *int64 `json:"limit"`
		// What the budgets allow.
		Budget int `json:"budget"`
		// The feature gate TerminateFirstDrift.
		TerminatesFirst bool `json:"terminatesFirst"`
	}
	if err := json.Unmarshal(question, &asked); err != nil {
		fail(err)
	}
	gates := options.DefaultFeatureGates()
	gates.TerminateFirstDrift = asked.TerminatesFirst
	ctx := options.ToContext(context.Background(), &options.Options{FeatureGates: gates})
	onDemand := scheduling.NewRequirement(v1.CapacityTypeLabelKey, corev1.NodeSelectorOpIn, v1.CapacityTypeOnDemand)
	// Karpenter takes reservations for full where a pool has reserved capacity alone, or no instance type.
	cloud := &provider{types: []*cloudprovider.InstanceType{{
		Name:         "a",
		Requirements: scheduling.NewRequirements(onDemand),
		Offerings:    cloudprovider.Offerings{{Requirements: scheduling.NewRequirements(onDemand), Available: true}},
	}}}
	cluster := state.NewCluster(clock.RealClock{}, newReader(true), cloud)
	pool := &v1.NodePool{ObjectMeta: metav1.ObjectMeta{Name: "pool"}}
	pool.Spec.Replicas = &asked.Replicas
	pool.Spec.Template.Spec.NodeClassRef = &v1.NodeClassReference{Group: "example.com", Kind: "NodeClass", Name: "default"}
	if asked.Limit != nil {
		pool.Spec.Limits = v1.Limits(corev1.ResourceList{resources.Node: *resource.NewQuantity(*asked.Limit, resource.DecimalSI)})
	}
	pool.StatusConditions().SetTrue(status.ConditionReady)
	candidates := []*disruption.Candidate{}
	for index := range asked.Replicas {
		claim := &v1.NodeClaim{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("claim-%d", index)}}
		cluster.NodePoolState.SetNodeClaimMapping(pool.Name, claim.Name)
		cluster.NodePoolState.MarkNodeClaimActive(pool.Name, claim.Name)
		candidates = append(candidates, &disruption.Candidate{StateNode: &state.StateNode{NodeClaim: claim}, NodePool: pool})
	}
	commands, err := disruption.NewStaticDrift(cluster, nil, cloud, recorder{}).
		ComputeCommands(ctx, map[string]int{pool.Name: asked.Budget}, candidates...)
	if err != nil {
		fail(err)
	}
	replaced, deleted := 0, 0
	for _, command := range commands {
		if len(command.Replacements) > 0 {
			replaced++
		} else {
			deleted++
		}
	}
	return map[string]int{"replaced": replaced, "deletedFirst": deleted}
}

package main

import (
	"context"
	"encoding/json"
	"slices"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/dynamicresources/deviceallocation"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/state/cost"
	"sigs.k8s.io/karpenter/pkg/state/virtualpods"
)

// A world with nodes, the time, and the feature gates that decide about their disruption.
type disrupted struct {
	world
	Now   time.Time `json:"now"`
	Gates struct {
		SpotToSpot          bool `json:"spotToSpot"`
		TerminateFirstDrift bool `json:"terminateFirstDrift"`
	} `json:"gates"`
}

// What a method of the disruption controller would do if the methods before it did nothing.
type methodsReply struct {
	Method string `json:"method"`
	// The names of the nodes.
	Candidates []string  `json:"candidates"`
	Commands   []command `json:"commands"`
	// By node or pool, what Karpenter's events say about it.
	Said map[string][]string `json:"said"`
	// The controller stops at it.
	Error string `json:"error,omitempty"`
}

type command struct {
	Candidates   []string    `json:"candidates"`
	Decision     string      `json:"decision"`
	Replacements []nodeClaim `json:"replacements"`
	Savings      float64     `json:"savings"`
	// Where the pods go that find room on nodes that are there.
	Existing []existing `json:"existing"`
}

// Answers what each method would do, in the controller's order; each command counts as valid, as if nothing changed meanwhile.
func disrupt(question json.RawMessage) any {
	var asked disrupted
	if err := json.Unmarshal(question, &asked); err != nil {
		fail(err)
	}
	given := asked.options()
	given.FeatureGates.SpotToSpotConsolidation = asked.Gates.SpotToSpot
	given.FeatureGates.TerminateFirstDrift = asked.Gates.TerminateFirstDrift
	ctx := options.ToContext(context.Background(), given)
	objects := asked.read()
	types := []*cloudprovider.InstanceType{}
	for _, one := range asked.Types {
		types = append(types, one.karpenters())
	}
	kube := newReader(asked.InOrder)
	for _, object := range objects {
		kube.add(object.DeepCopyObject().(client.Object))
	}
	cloud := &provider{types: types, ofPool: asked.TypesOfPool}
	clk := clocktesting.NewFakeClock(asked.Now)
	cluster := state.NewCluster(clk, kube, cloud)
	if err := track(ctx, cluster, objects); err != nil {
		fail(err)
	}
	costs := cost.NewClusterCost(ctx, cloud, kube)
	for _, object := range objects {
		switch object := object.(type) {
		case *v1.NodeClaim:
			if err := costs.UpdateNodeClaim(ctx, object); client.IgnoreNotFound(err) != nil {
				fail(err)
			}
		case *corev1.Node:
			// What Karpenter keeps in memory while it disrupts a node.
			if slices.ContainsFunc(object.Spec.Taints, func(taint corev1.Taint) bool { return taint.Key == v1.DisruptedTaintKey }) {
				cluster.MarkForDeletion(object.Spec.ProviderID)
			}
		}
	}
	cluster.MarkUnconsolidated()
	replies := []methodsReply{}
	for _, name := range []string{"emptiness", "static-drift", "drift", "multi-node", "single-node"} {
		said := &sayings{by: map[string][]string{}}
		provisioner := provisioning.NewProvisioner(
			kube, said, cloud, cluster, clk, deviceallocation.NewController(kube), virtualpods.NewVirtualPodCache(kube),
		)
		queue := disruption.NewQueue(kube, said, cluster, clk, provisioner)
		base := disruption.MakeConsolidation(clk, cluster, kube, provisioner, cloud, said, queue)
		trusts := disruption.WithValidator(trusting{})
		var method disruption.Method
		switch name {
		case "emptiness":
			method = disruption.NewEmptiness(base, trusts)
		case "static-drift":
			method = disruption.NewStaticDrift(cluster, provisioner, cloud, said)
		case "drift":
			method = disruption.NewDrift(kube, cluster, provisioner, said, clk)
		case "multi-node":
			method = disruption.NewMultiNodeConsolidation(base, trusts)
		default:
			method = disruption.NewSingleNodeConsolidation(base, trusts)
		}
		reply := methodsReply{Method: name, Candidates: []string{}, Commands: []command{}, Said: said.by}
		commands, err := func() ([]disruption.Command, error) {
			candidates, totals, err := disruption.GetCandidatesWithTotals(
				ctx, cluster, kube, said, clk, cloud, method.ShouldDisrupt, method.Class(), queue, costs,
			)
			if err != nil {
				return nil, err
			}
			// The cluster's nodes are in a map.
			sort.Slice(candidates, func(i, j int) bool { return candidates[i].Name() < candidates[j].Name() })
			for _, candidate := range candidates {
				reply.Candidates = append(reply.Candidates, candidate.Name())
			}
			if len(candidates) == 0 {
				return nil, nil
			}
			if setter, ok := method.(disruption.NodePoolTotalsSetter); ok {
				setter.SetNodePoolTotals(totals)
			}
			budgets, err := disruption.BuildDisruptionBudgetMapping(ctx, cluster, clk, kube, cloud, said, method.Reason())
			if err != nil {
				return nil, err
			}
			return method.ComputeCommands(ctx, budgets, candidates...)
		}()
		if err != nil {
			reply.Error = err.Error()
		}
		for _, one := range commands {
			if one.Decision() != disruption.NoOpDecision {
				reply.Commands = append(reply.Commands, commandOf(one))
			}
		}
		sort.Slice(reply.Commands, func(i, j int) bool {
			return first(reply.Commands[i].Candidates) < first(reply.Commands[j].Candidates)
		})
		replies = append(replies, reply)
	}
	return map[string]any{"methods": replies}
}

func commandOf(one disruption.Command) command {
	made := command{
		Candidates: one.SourceNodeNames(), Decision: string(one.Decision()), Replacements: []nodeClaim{},
		Savings: one.EstimatedSavings(), Existing: outcomeOf(one.Results).Existing,
	}
	sort.Strings(made.Candidates)
	for _, replacement := range one.Replacements {
		made.Replacements = append(made.Replacements, nodeClaimOf(replacement.NodeClaim))
	}
	sort.Slice(made.Replacements, func(i, j int) bool {
		return first(made.Replacements[i].Pods) < first(made.Replacements[j].Pods)
	})
	return made
}

// sayings keeps what events say, by the name of the node or pool.
type sayings struct{ by map[string][]string }

func (s *sayings) Publish(all ...events.Event) {
	for _, event := range all {
		name := ""
		switch object := event.InvolvedObject.(type) {
		case *corev1.Node:
			name = object.Name
		case *v1.NodePool:
			name = object.Name
		case *v1.NodeClaim:
			// Its node has the same event, if it has one.
			if object.Status.NodeName != "" {
				continue
			}
			name = object.Name
		default:
			continue
		}
		if !slices.Contains(s.by[name], event.Message) {
			s.by[name] = append(s.by[name], event.Message)
		}
	}
}

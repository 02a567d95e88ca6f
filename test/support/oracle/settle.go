package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"time"

	"github.com/awslabs/operatorpkg/status"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/expiration"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
	"sigs.k8s.io/karpenter/pkg/utils/resources"
)

type settleQuestion struct {
	Pool v1.NodePool `json:"pool"`
	// Drifted, all of them.
	Nodes []struct {
		Claim v1.NodeClaim `json:"claim"`
		Node  corev1.Node  `json:"node"`
		Pods  []corev1.Pod `json:"pods"`
	} `json:"nodes"`
	At time.Time `json:"at"`
	// Interval between the checks of the cluster, and the end.
	Step  metav1.Duration `json:"step"`
	Until time.Time       `json:"until"`
	// Duration of one replacement.
	NodeTime metav1.Duration `json:"nodeTime"`
	// "best": pods leave at once, and the longest-living node is replaced first. "random": pods and nodes take random
	// time. "stuck": nothing replaces a node, and pods never leave.
	World string `json:"world"`
	Seed  int64  `json:"seed"`
}

type settledNode struct {
	deleted time.Time
	gone    time.Time
	busy    bool
}

// Steps a clock through time: at each step Karpenter's own code determines expired claims, candidates for drift, and
// how many of them the budgets allow.
func settle(question json.RawMessage) any {
	var asked settleQuestion
	read(question, &asked)
	random := rand.New(rand.NewSource(asked.Seed))
	pool := &asked.Pool
	nodes := make([]settledNode, len(asked.Nodes))
	ever := make([]bool, len(nodes))
	nodeLimit, limited := pool.Spec.Limits[resources.Node]
	for now := asked.At; !now.After(asked.Until); now = now.Add(asked.Step.Duration) {
		at := clock.NewFakeClock(now)
		for index := range nodes {
			node := &nodes[index]
			if node.deleted.IsZero() && expires(&asked.Nodes[index].Claim, now) {
				node.deleted = now
				node.gone = earlier(node.gone, asked.drained(index, now, random))
			}
		}
		disrupting := 0
		for _, node := range nodes {
			if !isGone(node, now) && (node.busy || !node.deleted.IsZero()) {
				disrupting++
			}
		}
		// A removed node has a successor.
		allowed := max(pool.MustGetAllowedDisruptions(at, len(nodes), v1.DisruptionReasonDrifted)-disrupting, 0)
		if limited && pool.Spec.Replicas != nil {
			allowed = min(allowed, room(pool, nodes, now, nodeLimit.Value()))
		}
		open := allowed > 0
		for _, index := range asked.order(random) {
			node := &nodes[index]
			if !node.deleted.IsZero() || node.busy || !asked.candidate(index, at) {
				continue
			}
			ever[index] = ever[index] || open
			if allowed <= 0 || asked.World == "stuck" || asked.World == "random" && random.Intn(3) > 0 {
				continue
			}
			allowed--
			node.busy = true
			node.gone = asked.replaced(index, now, random)
		}
		if !slices.ContainsFunc(nodes, func(node settledNode) bool { return !isGone(node, now) }) {
			break
		}
	}
	ends := make([]*time.Time, len(nodes))
	for index := range nodes {
		if !nodes[index].gone.IsZero() {
			ends[index] = &nodes[index].gone
		}
	}
	return map[string]any{"ends": ends, "everAllowed": ever}
}

func isGone(node settledNode, now time.Time) bool {
	return !node.gone.IsZero() && !node.gone.After(now)
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// As the controller that expires NodeClaims decides.
func expires(claim *v1.NodeClaim, now time.Time) bool {
	deleting := &deletions{}
	controller := expiration.NewController(clock.NewFakeClock(now), deleting, supported{})
	if _, err := controller.Reconcile(context.Background(), claim); err != nil {
		fail(err)
	}
	return deleting.count > 0
}

type deletions struct {
	client.Client
	count int
}

func (d *deletions) Delete(context.Context, client.Object, ...client.DeleteOption) error {
	d.count++
	return nil
}

// The only class of claims, of a kind in the scheme; the provider needs nothing else.
type supported struct{ cloudprovider.CloudProvider }

func (supported) GetSupportedNodeClasses() []status.Object { return []status.Object{&v1.NodePool{}} }

// As NewCandidate does for methods of the eventual class.
func (asked *settleQuestion) candidate(index int, at *clock.FakeClock) bool {
	of := &asked.Nodes[index]
	node := &state.StateNode{Node: &of.Node, NodeClaim: &of.Claim}
	if node.ValidateNodeDisruptable(at) != nil {
		return false
	}
	// In the best case pods leave whenever they block.
	return asked.World == "best" || of.Claim.Spec.TerminationGracePeriod != nil || !asked.held(index, at)
}

func (asked *settleQuestion) held(index int, at *clock.FakeClock) bool {
	return slices.ContainsFunc(asked.Nodes[index].Pods, func(pod corev1.Pod) bool {
		return !podutils.IsDisruptable(&pod, at, nil)
	})
}

// When a node with a claim deleted now is removed: at the latest at the end of its terminationGracePeriod.
func (asked *settleQuestion) drained(index int, now time.Time, random *rand.Rand) time.Time {
	period := asked.Nodes[index].Claim.Spec.TerminationGracePeriod
	switch {
	case asked.World == "best":
		return now
	case period != nil && asked.World == "stuck":
		return now.Add(period.Duration)
	case period != nil:
		return now.Add(time.Duration(random.Int63n(int64(period.Duration) + 1)))
	case asked.World == "stuck" || asked.held(index, clock.NewFakeClock(now)):
		return time.Time{}
	}
	return now.Add(time.Duration(random.Int63n(int64(24 * time.Hour))))
}

func (asked *settleQuestion) replaced(index int, now time.Time, random *rand.Rand) time.Time {
	end := now.Add(asked.NodeTime.Duration)
	if asked.World == "best" {
		return end
	}
	return asked.drained(index, end.Add(time.Duration(random.Int63n(int64(6*time.Hour)))), random)
}

func (asked *settleQuestion) order(random *rand.Rand) []int {
	order := make([]int, len(asked.Nodes))
	for index := range order {
		order[index] = index
	}
	if asked.World != "best" {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		return order
	}
	slices.SortStableFunc(order, func(a, b int) int { return asked.expiry(b).Compare(asked.expiry(a)) })
	return order
}

func (asked *settleQuestion) expiry(index int) time.Time {
	claim := asked.Nodes[index].Claim
	if claim.Spec.ExpireAfter.Duration == nil {
		return time.Unix(1<<40, 0)
	}
	return claim.CreationTimestamp.Add(*claim.Spec.ExpireAfter.Duration)
}

// How many nodes a static pool may replace at once, by its own count: replaced nodes exist beside their successors
// until the pool is down to its replicas.
func room(pool *v1.NodePool, nodes []settledNode, now time.Time, limit int64) int {
	count := state.NewNodePoolState()
	for index, node := range nodes {
		name := fmt.Sprint(index)
		count.MarkNodeClaimActive(pool.Name, name)
		if node.busy && !isGone(node, now) {
			count.MarkNodeClaimPendingDisruption(pool.Name, name)
			count.MarkNodeClaimActive(pool.Name, name+"-successor")
		}
	}
	if running, _, pending := count.GetNodeCount(pool.Name); int64(running+pending) > *pool.Spec.Replicas {
		return 0
	}
	return int(count.ReserveNodeCount(pool.Name, limit, int64(len(nodes))))
}

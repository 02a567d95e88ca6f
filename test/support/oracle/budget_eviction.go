package main

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	clock "k8s.io/utils/clock/testing"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/utils/disruption"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
)

// Answers the eviction cost of a pod, whether it blocks disruption, and the remaining share of its node's lifetime.
func eviction(question json.RawMessage) any {
	var asked struct {
		Pod   corev1.Pod   `json:"pod"`
		Claim v1.NodeClaim `json:"claim"`
		At    time.Time    `json:"at"`
	}
	read(question, &asked)
	at := clock.NewFakeClock(asked.At)
	return map[string]any{
		"cost":         disruption.EvictionCost(context.Background(), &asked.Pod),
		"forbids":      podutils.IsDoNotDisruptActive(&asked.Pod, at, nil),
		"lifetimeLeft": disruption.LifetimeRemaining(at, &v1.NodePool{}, &asked.Claim),
	}
}

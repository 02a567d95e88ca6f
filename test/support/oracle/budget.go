package main

import (
	"encoding/json"
	"time"

	clock "k8s.io/utils/clock/testing"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Answers how many nodes of a pool may be disrupted for a reason, and errors of the budgets.
func budget(question json.RawMessage) any {
	var asked struct {
		Budgets []v1.Budget         `json:"budgets"`
		Reason  v1.DisruptionReason `json:"reason"`
		Nodes   int                 `json:"nodes"`
		At      time.Time           `json:"at"`
	}
	read(question, &asked)
	pool := &v1.NodePool{}
	pool.Spec.Disruption.Budgets = asked.Budgets
	at := clock.NewFakeClock(asked.At)
	_, err := pool.GetAllowedDisruptionsByReason(at, asked.Nodes, asked.Reason)
	answer := map[string]any{"allowed": pool.MustGetAllowedDisruptions(at, asked.Nodes, asked.Reason), "error": ""}
	if err != nil {
		answer["error"] = err.Error()
	}
	return answer
}

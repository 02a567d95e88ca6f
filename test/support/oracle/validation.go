package main

import (
	"context"
	"encoding/json"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// Answers the errors of Karpenter's controller for a NodePool with these requirements.
func validate(question json.RawMessage) any {
	var asked struct {
		Entries []entry `json:"entries"`
	}
	read(question, &asked)
	pool := v1.NodePool{}
	pool.Spec.Template.Spec.Requirements = asked.Entries
	return map[string]any{"error": textOf(pool.RuntimeValidate(context.Background()))}
}

// Answers whether instance types, in order, reach the minimums of the requirements.
func minValues(question json.RawMessage) any {
	var asked struct {
		Types        [][]entry `json:"types"`
		Requirements []entry   `json:"requirements"`
	}
	read(question, &asked)
	types := cloudprovider.InstanceTypes{}
	for _, entries := range asked.Types {
		types = append(types, &cloudprovider.InstanceType{
			Requirements: scheduling.NewNodeSelectorRequirementsWithMinValues(entries...),
		})
	}
	requirements := scheduling.NewNodeSelectorRequirementsWithMinValues(asked.Requirements...)
	needed, short, err := types.SatisfiesMinValues(requirements)
	return map[string]any{"needed": needed, "short": short, "error": textOf(err)}
}

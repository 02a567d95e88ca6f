package main

import (
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"

	// Adds the labels that the AWS provider knows.
	_ "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
)

type entry = v1.NodeSelectorRequirementWithMinValues

// The only label that the AWS provider adds at its start (pkg/operator/operator.go).
func init() {
	v1.NormalizedLabels["topology.ebs.csi.aws.com/zone"] = corev1.LabelTopologyZone
}

type keyForm struct {
	Key      string  `json:"key"`
	Operator string  `json:"operator"`
	Text     string  `json:"text"`
	Entries  []entry `json:"entries"`
}

// Every key of the merged entries, sorted, and how Karpenter prints them together.
func merge(question json.RawMessage) any {
	var asked struct {
		Entries []entry `json:"entries"`
	}
	read(question, &asked)
	merged := scheduling.NewNodeSelectorRequirementsWithMinValues(asked.Entries...)
	keys := []keyForm{}
	for _, requirement := range merged {
		keys = append(keys, formOf(requirement))
	}
	slices.SortFunc(keys, func(a, b keyForm) int { return strings.Compare(a.Key, b.Key) })
	return map[string]any{"keys": keys, "text": merged.String()}
}

func formOf(requirement *scheduling.Requirement) keyForm {
	alone := scheduling.Requirements{requirement.Key: requirement}
	return keyForm{
		Key:      requirement.Key,
		Operator: string(requirement.Operator()),
		Text:     requirement.String(),
		Entries:  alone.NodeSelectorRequirements(),
	}
}

// Which of the values the merged entries, all of one key, admit.
func has(question json.RawMessage) any {
	var asked struct {
		Entries []entry  `json:"entries"`
		Values  []string `json:"values"`
	}
	read(question, &asked)
	requirement := only(asked.Entries)
	admitted := []bool{}
	for _, value := range asked.Values {
		admitted = append(admitted, requirement.Has(value))
	}
	return admitted
}

type pair struct {
	A []entry `json:"a"`
	B []entry `json:"b"`
}

// Two lists of entries, all of one key, each merged first.
func intersection(question json.RawMessage) any {
	var asked pair
	read(question, &asked)
	a, b := only(asked.A), only(asked.B)
	return map[string]any{"both": formOf(a.Intersection(b)), "hasIntersection": a.HasIntersection(b)}
}

func only(entries []entry) *scheduling.Requirement {
	values := scheduling.NewNodeSelectorRequirementsWithMinValues(entries...).Values()
	if len(values) != 1 {
		panic("entries of more than one key, or none")
	}
	return values[0]
}

func (p pair) requirements() (scheduling.Requirements, scheduling.Requirements) {
	return scheduling.NewNodeSelectorRequirementsWithMinValues(p.A...),
		scheduling.NewNodeSelectorRequirementsWithMinValues(p.B...)
}

func intersects(question json.RawMessage) any {
	var asked pair
	read(question, &asked)
	a, b := asked.requirements()
	return map[string]any{"error": textOf(a.Intersects(b))}
}

// Karpenter reports one unknown key, the first of its map: `alone` has its error for each key.
func compatible(question json.RawMessage) any {
	var asked struct {
		pair
		AllowWellKnown bool `json:"allowWellKnown"`
	}
	read(question, &asked)
	a, b := asked.requirements()
	check := func(b scheduling.Requirements) *string {
		if asked.AllowWellKnown {
			return textOf(a.Compatible(b, scheduling.AllowUndefinedWellKnownLabels))
		}
		return textOf(a.Compatible(b))
	}
	alone := []string{}
	for _, key := range slices.Sorted(slices.Values(b.Keys().UnsortedList())) {
		if text := check(scheduling.Requirements{key: b[key]}); text != nil {
			alone = append(alone, *text)
		}
	}
	return map[string]any{"error": check(b), "alone": alone}
}

func textOf(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}

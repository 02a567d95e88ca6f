package main

import (
	"k8s.io/apimachinery/pkg/util/sets"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Answers the labels that Karpenter with the AWS provider knows, and their properties.
func labels() any {
	knownValues := map[string][]string{}
	for key, values := range v1.WellKnownValuesForRequirements {
		knownValues[key] = sets.List(values)
	}
	return map[string]any{
		"wellKnown":         sets.List(v1.WellKnownLabels),
		"knownValues":       knownValues,
		"normalized":        v1.NormalizedLabels,
		"normalizedValues":  v1.NormalizedLabelValues,
		"restrictedDomains": sets.List(v1.RestrictedLabelDomains),
	}
}

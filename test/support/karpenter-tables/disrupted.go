package disruption

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/samber/lo"
	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/record"
)

func init() { record.OfMethods = true }

// recorded runs a method with its candidates by name, and writes down what it starts from and what it decides.
func (c *Controller) recorded(
	ctx context.Context, method Method, candidates []*Candidate, compute func() ([]Command, error),
) ([]Command, error) {
	if _, ok := method.(*Repair); ok {
		return compute()
	}
	slices.SortFunc(candidates, func(a, b *Candidate) int { return strings.Compare(a.Name(), b.Name()) })
	parts := record.Parts{Client: c.kubeClient, Cluster: c.cluster, CloudProvider: c.cloudProvider, Now: c.clock.Now().UnixMilli()}
	names := lo.Map(candidates, func(one *Candidate, _ int) string { return one.Name() })
	made := record.MethodOf(ctx, parts, strings.TrimPrefix(fmt.Sprintf("%T", method), "*disruption."), names)
	made.Validates = validates(method)
	commands, err := compute()
	for _, one := range commands {
		if one.Decision() == NoOpDecision {
			continue
		}
		claims := lo.Map(one.Replacements, func(replacement *Replacement, _ int) *scheduler.NodeClaim { return replacement.NodeClaim })
		made.Commands = append(made.Commands,
			record.CommandOf(one.SourceNodeNames(), string(one.Decision()), claims, one.EstimatedSavings(), one.Results))
	}
	made.Write(err)
	return commands, err
}

// Tests have a validator that takes any command.
func validates(method Method) bool {
	var validator Validator
	switch method := method.(type) {
	case *Emptiness:
		validator = method.validator
	case *MultiNodeConsolidation:
		validator = method.validator
	case *SingleNodeConsolidation:
		validator = method.validator
	default:
		return false
	}
	return !strings.Contains(fmt.Sprintf("%T", validator), "NopValidator")
}

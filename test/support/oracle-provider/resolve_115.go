//go:build karpenter_1.15

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	aws "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	sdk "github.com/aws/karpenter-provider-aws/pkg/aws"
	kubeletcel "github.com/aws/karpenter-provider-aws/pkg/cel"
	"github.com/aws/karpenter-provider-aws/pkg/controllers/nodeclass"
	"github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	"github.com/aws/karpenter-provider-aws/pkg/providers/launchtemplate"
	"github.com/patrickmn/go-cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	core "sigs.k8s.io/karpenter/pkg/operator/options"
)

func contextOf(expressions bool) context.Context {
	return options.ToContext(context.Background(), &options.Options{
		VMMemoryOverheadPercent: 0.075,
		FeatureGates:            options.FeatureGates{NodeClassCEL: expressions},
	})
}

func defaultGates() []any { return []any{core.DefaultFeatureGates(), options.DefaultFeatureGates()} }

var environment = func() *kubeletcel.CELEnvironment {
	made, err := kubeletcel.NewEnvironment()
	if err != nil {
		fail(err)
	}
	return made
}()

// An error ends the listing of instance types for the class, and nothing else.
func resolve(ctx context.Context, class *aws.EC2NodeClass, info ec2types.InstanceTypeInfo) *cloudprovider.InstanceType {
	resolver := instancetype.NewDefaultResolver("us-east-1", environment)
	resolver.CacheKey(class)
	kubelet, err := aws.ParseKubeletConfig(class.KubeletConfiguration())
	if err != nil {
		return nil
	}
	it, err := resolver.Resolve(ctx, info, []string{"us-east-1a"}, class, kubelet)
	if err != nil {
		return nil
	}
	return it
}

type launchTemplates struct{ launchtemplate.Provider }

func (launchTemplates) ResolveClusterCIDR(context.Context) error { return nil }

var validation = func() *nodeclass.Validation {
	results := cache.New(time.Hour, time.Hour)
	return nodeclass.NewValidationReconciler(clock.RealClock{}, nil, nil, nil, nil, nil, launchTemplates{}, results, environment, true)
}()

// The reason and message for which the controller marks the class as not valid. Nothing is resolved in the class, so
// that the controller ends where it would ask AWS; the next step is to evaluate the expressions for all types.
func validationOf(asked *question) []string {
	ctx, class := contextOf(asked.Expressions), &asked.Class
	_, _ = validation.Reconcile(ctx, class)
	condition := class.StatusConditions().Get(aws.ConditionTypeValidationSucceeded)
	if condition.Reason != nodeclass.ConditionReasonDependenciesNotReady {
		return []string{condition.Reason, condition.Message}
	}
	if len(asked.Types) == 0 {
		return nil
	}
	types := instancetype.NewDefaultProvider(cache.New(time.Hour, time.Hour), nil, nil, described{types: asked.Types}, nil, nil, nil, nil, nil, nil, nil, nil, environment)
	if err := types.UpdateInstanceTypes(ctx); err != nil {
		fail(err)
	}
	if err := types.ValidateKubeletExpressions(ctx, class); err != nil {
		return []string{nodeclass.ConditionReasonKubeletExpressionEvalFailed, err.Error()}
	}
	return nil
}

type described struct {
	sdk.EC2API
	types []ec2types.InstanceTypeInfo
}

func (all described) DescribeInstanceTypes(context.Context, *ec2.DescribeInstanceTypesInput, ...func(*ec2.Options)) (*ec2.DescribeInstanceTypesOutput, error) {
	return &ec2.DescribeInstanceTypesOutput{InstanceTypes: all.types}, nil
}

// For each text why it does not compile, or its results: null where evaluating fails.
func evaluate(asked *question) any {
	answers := []any{}
	for _, text := range asked.Texts {
		if err := environment.ValidateExpression(text); err != nil {
			answers = append(answers, err.Error())
			continue
		}
		results := []any{}
		for _, given := range asked.Variables {
			var variables kubeletcel.InstanceTypeVars
			if err := json.Unmarshal(given, &variables); err != nil {
				fail(err)
			}
			result, err := environment.EvaluateExpression(text, variables)
			if err != nil {
				results = append(results, nil)
			} else {
				results = append(results, fmt.Sprint(result))
			}
		}
		answers = append(answers, results)
	}
	return answers
}

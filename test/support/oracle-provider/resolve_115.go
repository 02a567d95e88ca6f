//go:build karpenter_1.15

package main

import (
	"context"
	"time"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	aws "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	kubeletcel "github.com/aws/karpenter-provider-aws/pkg/cel"
	"github.com/aws/karpenter-provider-aws/pkg/controllers/nodeclass"
	"github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	"github.com/aws/karpenter-provider-aws/pkg/providers/launchtemplate"
	"github.com/patrickmn/go-cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

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
// that the controller ends where it would ask AWS.
func validationOf(class *aws.EC2NodeClass) []string {
	_, _ = validation.Reconcile(options.ToContext(context.Background(), &options.Options{}), class)
	condition := class.StatusConditions().Get(aws.ConditionTypeValidationSucceeded)
	if condition.Reason == nodeclass.ConditionReasonDependenciesNotReady {
		return nil
	}
	return []string{condition.Reason, condition.Message}
}

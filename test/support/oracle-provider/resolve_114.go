//go:build !karpenter_1.15

package main

import (
	"context"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	aws "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	core "sigs.k8s.io/karpenter/pkg/operator/options"
)

func contextOf(bool) context.Context {
	return options.ToContext(context.Background(), &options.Options{VMMemoryOverheadPercent: 0.075})
}

func defaultGates() []any { return []any{core.DefaultFeatureGates()} }

func resolve(ctx context.Context, class *aws.EC2NodeClass, info ec2types.InstanceTypeInfo) *cloudprovider.InstanceType {
	resolver := instancetype.NewDefaultResolver("us-east-1")
	resolver.CacheKey(class)
	return resolver.Resolve(ctx, info, []string{"us-east-1a"}, class)
}

// Up to 1.14 only the API server validates a class.
func validationOf(*question) []string { return nil }

// It has no expressions.
func evaluate(*question) any { return nil }

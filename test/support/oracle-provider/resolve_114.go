//go:build !karpenter_1.15

package main

import (
	"context"

	aws "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
)

func resolve(ctx context.Context, class *aws.EC2NodeClass) {
	resolver := instancetype.NewDefaultResolver("us-east-1")
	resolver.CacheKey(class)
	resolver.Resolve(ctx, someType(), []string{"us-east-1a"}, class).Allocatable()
}

// Up to 1.14 only the API server validates a class.
func validationOf(*aws.EC2NodeClass) []string { return nil }

//go:build karpenter_1.15

package main

import (
	"context"

	aws "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	kubeletcel "github.com/aws/karpenter-provider-aws/pkg/cel"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
)

// An error ends the listing of instance types for the class, and nothing else.
func resolve(ctx context.Context, class *aws.EC2NodeClass) {
	environment, err := kubeletcel.NewEnvironment()
	if err != nil {
		fail(err)
	}
	resolver := instancetype.NewDefaultResolver("us-east-1", environment)
	resolver.CacheKey(class)
	kubelet, err := aws.ParseKubeletConfig(class.KubeletConfiguration())
	if err != nil {
		return
	}
	it, err := resolver.Resolve(ctx, someType(), []string{"us-east-1a"}, class, kubelet)
	if err == nil && it != nil {
		it.Allocatable()
	}
}

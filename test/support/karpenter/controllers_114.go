//go:build !karpenter_1.15

package main

import (
	"context"

	"github.com/awslabs/operatorpkg/controller"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator"
)

func allControllers(ctx context.Context, op *operator.Operator, decorated, provider cloudprovider.CloudProvider) []controller.Controller {
	return controllers.NewControllers(
		ctx,
		op.Manager,
		op.Clock,
		op.GetClient(),
		op.EventRecorder,
		decorated,
		provider,
		state.NewCluster(op.Clock, op.GetClient(), decorated),
		op.InstanceTypeStore,
	)
}

package provisioning

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/record"
)

// Schedule is Karpenter's, recorded.
func (p *Provisioner) Schedule(ctx context.Context) (scheduler.Results, error) {
	return record.Schedule(ctx, p.parts(), func() (scheduler.Results, error) { return p.schedule(ctx) })
}

// NewScheduler is Karpenter's, recorded.
func (p *Provisioner) NewScheduler(
	ctx context.Context, pods []*corev1.Pod, nodes []*state.StateNode, leaving sets.Set[types.UID], opts ...scheduler.Options,
) (*scheduler.Scheduler, error) {
	return record.NewScheduler(ctx, p.parts(), pods, nodes, opts, func() (*scheduler.Scheduler, error) {
		return p.newScheduler(ctx, pods, nodes, leaving, opts...)
	})
}

func (p *Provisioner) parts() record.Parts {
	return record.Parts{Client: p.kubeClient, Cluster: p.cluster, CloudProvider: p.cloudProvider, Now: p.clock.Now().UnixMilli()}
}

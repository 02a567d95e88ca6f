package main

import (
	"context"
	"math/rand/v2"
	"slices"

	awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/awslabs/operatorpkg/status"
	corev1 "k8s.io/api/core/v1"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/utils/resources"
)

func init() {
	// As the operators of Karpenter and of its AWS provider do (pkg/operator/operator.go).
	v1.NormalizedLabels["topology.ebs.csi.aws.com/zone"] = corev1.LabelTopologyZone
	cloudprovider.ReservationIDLabel = awsv1.LabelCapacityReservationID
	cloudprovider.ReservedCapacityLabels.Insert(
		awsv1.LabelCapacityReservationID,
		awsv1.LabelCapacityReservationType,
		awsv1.LabelCapacityReservationInterruptible,
	)
}

// provider serves the instance types of a world.
type provider struct {
	cloudprovider.CloudProvider
	types []*cloudprovider.InstanceType
	// By pool, the names of the types that it gets; a pool that is not listed gets all.
	ofPool map[string][]string
}

func (p *provider) GetInstanceTypes(_ context.Context, pool *v1.NodePool) ([]*cloudprovider.InstanceType, error) {
	served := []*cloudprovider.InstanceType{}
	names, listed := p.ofPool[pool.Name]
	for _, one := range p.types {
		if !listed || slices.Contains(names, one.Name) {
			served = append(served, one)
		}
	}
	// The AWS provider ranges over a map.
	rand.Shuffle(len(served), func(i, j int) { served[i], served[j] = served[j], served[i] })
	return served, nil
}

func (p *provider) Name() string { return "aws" }

func (p *provider) GetSupportedNodeClasses() []status.Object {
	return []status.Object{&awsv1.EC2NodeClass{}}
}

// instanceType is an entry of a catalogue in anp's open form, with what Karpenter needs beyond it: the capacity, limits of
// volumes, and the count of a reservation.
type instanceType struct {
	Name         string                           `json:"name"`
	Requirements []corev1.NodeSelectorRequirement `json:"requirements"`
	Offerings    []struct {
		Requirements        []corev1.NodeSelectorRequirement `json:"requirements"`
		Price               float64                          `json:"price"`
		Available           *bool                            `json:"available"`
		ReservationCapacity int                              `json:"reservationCapacity"`
	} `json:"offerings"`
	Capacity     corev1.ResourceList `json:"capacity"`
	Allocatable  corev1.ResourceList `json:"allocatable"`
	VolumeLimits map[string]int      `json:"volumeAttachmentLimits"`
}

func (t instanceType) karpenters() *cloudprovider.InstanceType {
	capacity := t.Capacity
	if capacity == nil {
		capacity = t.Allocatable
	}
	made := &cloudprovider.InstanceType{
		Name:                   t.Name,
		Requirements:           scheduling.NewNodeSelectorRequirements(t.Requirements...),
		Capacity:               capacity,
		VolumeAttachmentLimits: t.VolumeLimits,
		Overhead:               &cloudprovider.InstanceTypeOverhead{KubeReserved: overhead(capacity, t.Allocatable)},
	}
	for _, offering := range t.Offerings {
		made.Offerings = append(made.Offerings, &cloudprovider.Offering{
			Requirements:        scheduling.NewNodeSelectorRequirements(offering.Requirements...),
			Price:               offering.Price,
			Available:           offering.Available == nil || *offering.Available,
			ReservationCapacity: offering.ReservationCapacity,
		})
	}
	return made
}

func overhead(capacity, allocatable corev1.ResourceList) corev1.ResourceList {
	reserved := corev1.ResourceList{}
	for name, amount := range resources.Subtract(capacity, allocatable) {
		if !amount.IsZero() {
			reserved[name] = amount
		}
	}
	return reserved
}

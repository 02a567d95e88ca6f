package main

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// What an API server, the scheduler of Kubernetes or Karpenter's controllers add before the provisioner sees an object.
func setDefaults(object client.Object) {
	if object.GetUID() == "" {
		// Pods with the same requests are tried in the order of creation and UID: here in that of their names.
		object.SetUID(types.UID(fmt.Sprintf("%s/%s", object.GetNamespace(), object.GetName())))
	}
	switch object := object.(type) {
	case *corev1.Pod:
		setPodDefaults(&object.Spec)
		setPortDefaults(&object.Spec)
		if object.Status.Phase == "" {
			object.Status.Phase = corev1.PodPending
			if object.Spec.NodeName != "" {
				object.Status.Phase = corev1.PodRunning
			}
		}
		if object.Spec.NodeName == "" && len(object.Status.Conditions) == 0 {
			object.Status.Conditions = []corev1.PodCondition{{
				Type:   corev1.PodScheduled,
				Status: corev1.ConditionFalse,
				Reason: corev1.PodReasonUnschedulable,
			}}
		}
	case *appsv1.DaemonSet:
		// Templates do not get the requests and host ports that pods get.
		setPortDefaults(&object.Spec.Template.Spec)
	case *corev1.PodTemplate:
		setPortDefaults(&object.Template.Spec)
	case *v1.NodePool:
		if len(object.Status.Conditions) == 0 {
			object.StatusConditions().SetTrue(v1.ConditionTypeNodeClassReady)
			object.StatusConditions().SetTrue(v1.ConditionTypeValidationSucceeded)
		}
	}
}

func setPodDefaults(spec *corev1.PodSpec) {
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			requestLimits(&containers[i].Resources)
			for j := range containers[i].Ports {
				if port := &containers[i].Ports[j]; spec.HostNetwork && port.HostPort == 0 {
					port.HostPort = port.ContainerPort
				}
			}
		}
	}
	if spec.Resources != nil {
		requestLimits(spec.Resources)
	}
}

func setPortDefaults(spec *corev1.PodSpec) {
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			for j := range containers[i].Ports {
				if port := &containers[i].Ports[j]; port.Protocol == "" {
					port.Protocol = corev1.ProtocolTCP
				}
			}
		}
	}
}

// A limit without a request is the request.
func requestLimits(resources *corev1.ResourceRequirements) {
	for name, limit := range resources.Limits {
		if _, requested := resources.Requests[name]; requested {
			continue
		}
		if resources.Requests == nil {
			resources.Requests = corev1.ResourceList{}
		}
		resources.Requests[name] = limit
	}
}

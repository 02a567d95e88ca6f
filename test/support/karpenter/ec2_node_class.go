// Lets the kwok provider also serve EC2NodeClasses.
package main

import (
	"github.com/awslabs/operatorpkg/status"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/karpenter/kwok/apis/v1alpha1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

// anp renders only pools of AWS, so kwok also serves EC2NodeClasses if configured. It reads its settings from its own
// class with the same name.
type withEC2NodeClasses struct {
	cloudprovider.CloudProvider
}

func (p withEC2NodeClasses) GetSupportedNodeClasses() []status.Object {
	return append(p.CloudProvider.GetSupportedNodeClasses(), &EC2NodeClass{})
}

// EC2NodeClass has only conditions, of all fields of AWS's status.
type EC2NodeClass struct {
	v1alpha1.KWOKNodeClass `json:",inline"`
}

type EC2NodeClassList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []EC2NodeClass `json:"items"`
}

func (in *EC2NodeClass) DeepCopyObject() runtime.Object {
	return &EC2NodeClass{*in.KWOKNodeClass.DeepCopy()}
}

func (in *EC2NodeClassList) DeepCopyObject() runtime.Object {
	out := &EC2NodeClassList{TypeMeta: in.TypeMeta, ListMeta: *in.ListMeta.DeepCopy()}
	for i := range in.Items {
		out.Items = append(out.Items, EC2NodeClass{*in.Items[i].KWOKNodeClass.DeepCopy()})
	}
	return out
}

func init() {
	version := schema.GroupVersion{Group: "karpenter.k8s.aws", Version: "v1"}
	metav1.AddToGroupVersion(scheme.Scheme, version)
	scheme.Scheme.AddKnownTypes(version, &EC2NodeClass{}, &EC2NodeClassList{})
}

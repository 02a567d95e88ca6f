// EC2NodeClasses for Karpenter with its kwok provider: a provider in, the same with one more kind of node classes out.
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

// anp renders no pool of another provider than that of AWS, so kwok serves EC2NodeClasses beside its own where it is
// told to. It takes what it needs from the class of its own with the same name.
type withEC2NodeClasses struct {
	cloudprovider.CloudProvider
}

func (p withEC2NodeClasses) GetSupportedNodeClasses() []status.Object {
	return append(p.CloudProvider.GetSupportedNodeClasses(), &EC2NodeClass{})
}

// EC2NodeClass has conditions alone, of all that AWS gives it.
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

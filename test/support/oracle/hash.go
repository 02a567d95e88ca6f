package main

import (
	"encoding/json"

	aws "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Answers Karpenter's drift hashes of a pool and a node class.
func hash(question json.RawMessage) any {
	var asked struct {
		Template *v1.NodeClaimTemplate `json:"template"`
		Class    *aws.EC2NodeClassSpec `json:"class"`
	}
	read(question, &asked)
	if asked.Template != nil {
		return (&v1.NodePool{Spec: v1.NodePoolSpec{Template: *asked.Template}}).Hash()
	}
	return (&aws.EC2NodeClass{Spec: *asked.Class}).Hash(nil)
}

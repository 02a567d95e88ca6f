package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/awslabs/operatorpkg/object"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"knative.dev/pkg/apis"
	"sigs.k8s.io/controller-runtime/pkg/client"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1beta1 "sigs.k8s.io/karpenter/pkg/apis/v1beta1"
	"sigs.k8s.io/karpenter/pkg/operator/injection"

	awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	awsv1beta1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1beta1"
)

// The interface of a kind for knative's webhook.
type convertible interface {
	apis.Convertible
	apis.Defaultable
}

func newObject(kind, version string) convertible {
	switch kind + "/" + version {
	case "NodePool/v1":
		return &karpv1.NodePool{}
	case "NodePool/v1beta1":
		return &karpv1beta1.NodePool{}
	case "NodeClaim/v1":
		return &karpv1.NodeClaim{}
	case "NodeClaim/v1beta1":
		return &karpv1beta1.NodeClaim{}
	case "EC2NodeClass/v1":
		return &awsv1.EC2NodeClass{}
	case "EC2NodeClass/v1beta1":
		return &awsv1beta1.EC2NodeClass{}
	}
	fail(fmt.Errorf("no kind %s of version %s", kind, version))
	return nil
}

// The conversion of an object that is served in another version than it is stored in: the API server sets the defaults
// of its version, the webhook converts, and the API server sets the defaults of the other version.
func convert(asked question) (any, error) {
	kind, version := typeOf(asked.Object)
	from := newObject(kind, version)
	if err := json.Unmarshal(admitted(asked.Object, kind, version), from); err != nil {
		return nil, err
	}
	ctx := contextWith(asked.NodePools)
	to := newObject(kind, asked.To)
	var err error
	// The hub version is v1: v1 objects can convert both ways.
	if version == "v1" {
		err = from.ConvertTo(ctx, to)
	} else {
		err = to.ConvertFrom(ctx, from)
	}
	if err != nil {
		return nil, err
	}
	to.SetDefaults(ctx)
	return encode(to, kind, asked.To), nil
}

// An object as Karpenter would write it; an unknown field is an error.
func readStrictly(asked question) (any, error) {
	kind, version := typeOf(asked.Object)
	into := newObject(kind, version)
	decoder := json.NewDecoder(bytes.NewReader(withDefaults(asked.Object, kind, version)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return nil, err
	}
	return encode(into, kind, version), nil
}

func typeOf(object json.RawMessage) (kind, version string) {
	var id struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := json.Unmarshal(object, &id); err != nil {
		fail(err)
	}
	return id.Kind, schema.FromAPIVersionAndKind(id.APIVersion, id.Kind).Version
}

func encode(from convertible, kind, version string) json.RawMessage {
	return withDefaults(withType(marshal(from), kind, version), kind, version)
}

// The webhook sets the type of its result.
func withType(text []byte, kind, version string) []byte {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		fail(err)
	}
	group := "karpenter.sh"
	if kind == "EC2NodeClass" {
		group = "karpenter.k8s.aws"
	}
	fields["apiVersion"] = json.RawMessage(fmt.Sprintf("%q", group+"/"+version))
	fields["kind"] = json.RawMessage(fmt.Sprintf("%q", kind))
	return marshal(fields)
}

func contextWith(nodePools []json.RawMessage) context.Context {
	ctx := injection.WithNodeClasses(context.Background(), []schema.GroupVersionKind{object.GVK(&awsv1.EC2NodeClass{})})
	return injection.WithClient(ctx, cluster{nodePools: nodePools})
}

// The cluster for the conversion of a NodeClaim: with its NodePool in version v1.
type cluster struct {
	client.Client
	nodePools []json.RawMessage
}

func (c cluster) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	for _, raw := range c.nodePools {
		pool := &karpv1.NodePool{}
		if err := json.Unmarshal(admitted(raw, "NodePool", "v1"), pool); err != nil {
			return err
		}
		if pool.Name == key.Name {
			pool.DeepCopyInto(into.(*karpv1.NodePool))
			return nil
		}
	}
	return errors.NewNotFound(schema.GroupResource{Group: "karpenter.sh", Resource: "nodepools"}, key.Name)
}

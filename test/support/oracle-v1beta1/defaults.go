package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"

	awsapis "github.com/aws/karpenter-provider-aws/pkg/apis"
)

var schemas = structuralSchemas()

// Every version of every kind, from Karpenter's own CRDs.
func structuralSchemas() map[string]*structuralschema.Structural {
	all := map[string]*structuralschema.Structural{}
	for _, crd := range awsapis.CRDs {
		for _, version := range crd.Spec.Versions {
			internal := &apiextensions.JSONSchemaProps{}
			if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, internal, nil); err != nil {
				fail(err)
			}
			structural, err := structuralschema.NewStructural(internal)
			if err != nil {
				fail(err)
			}
			all[crd.Spec.Names.Kind+"/"+version.Name] = structural
		}
	}
	return all
}

// Sets the defaults of the API server on write and read.
func withDefaults(object []byte, kind, version string) []byte {
	value, structural := valueAndSchema(object, kind, version)
	defaulting.Default(value, structural)
	defaulting.PruneNonNullableNullsWithoutDefaults(value, structural)
	return marshal(value)
}

// Prunes unknown fields, as the API server does.
func admitted(object []byte, kind, version string) []byte {
	value, structural := valueAndSchema(object, kind, version)
	pruning.Prune(value, structural, true)
	return withDefaults(marshal(value), kind, version)
}

func valueAndSchema(object []byte, kind, version string) (map[string]any, *structuralschema.Structural) {
	structural, ok := schemas[kind+"/"+version]
	if !ok {
		fail(fmt.Errorf("no schema for %s of version %s", kind, version))
	}
	var value map[string]any
	if err := json.Unmarshal(object, &value); err != nil {
		fail(err)
	}
	return value, structural
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		fail(err)
	}
	return text
}

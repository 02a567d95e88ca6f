package main

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// reader answers from memory as the cache of Karpenter's client does: deep copies, and lists in the order of a Go map. The
// provisioner only reads until it creates NodeClaims, so any other call is a nil dereference.
//
// controller-runtime's fake client converts each object to JSON and back, which takes ten times as long.
type reader struct {
	client.Client
	objects map[reflect.Type]map[types.NamespacedName]client.Object
	// The keys of the objects as they were added; nil to list in the order of a map.
	order map[reflect.Type][]types.NamespacedName
}

func newReader(inOrder bool) *reader {
	made := &reader{objects: map[reflect.Type]map[types.NamespacedName]client.Object{}}
	if inOrder {
		made.order = map[reflect.Type][]types.NamespacedName{}
	}
	return made
}

func (r *reader) add(object client.Object) {
	kind := reflect.TypeOf(object).Elem()
	if r.objects[kind] == nil {
		r.objects[kind] = map[types.NamespacedName]client.Object{}
	}
	key := client.ObjectKeyFromObject(object)
	if r.order != nil {
		r.order[kind] = append(r.order[kind], key)
	}
	r.objects[kind][key] = object
}

func (r *reader) keys(kind reflect.Type) []types.NamespacedName {
	if r.order != nil {
		return r.order[kind]
	}
	return slices.Collect(maps.Keys(r.objects[kind]))
}

func (r *reader) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	kind := reflect.TypeOf(into).Elem()
	found, ok := r.objects[kind][key]
	if !ok {
		// A name is enough for what is not in a namespace.
		found, ok = r.objects[kind][client.ObjectKey{Name: key.Name}]
	}
	if !ok {
		return errors.NewNotFound(schema.GroupResource{Resource: kind.Name()}, key.Name)
	}
	reflect.ValueOf(into).Elem().Set(reflect.ValueOf(found.DeepCopyObject()).Elem())
	return nil
}

func (r *reader) List(_ context.Context, into client.ObjectList, opts ...client.ListOption) error {
	options := client.ListOptions{}
	options.ApplyOptions(opts)
	items, err := meta.GetItemsPtr(into)
	if err != nil {
		return err
	}
	kind := reflect.TypeOf(items).Elem().Elem()
	found := []runtime.Object{}
	for _, key := range r.keys(kind) {
		object := r.objects[kind][key]
		if options.Namespace != "" && key.Namespace != options.Namespace {
			continue
		}
		if options.LabelSelector != nil && !options.LabelSelector.Matches(labels.Set(object.GetLabels())) {
			continue
		}
		if options.FieldSelector != nil && !options.FieldSelector.Matches(fieldsOf(object)) {
			continue
		}
		found = append(found, object.DeepCopyObject())
	}
	return meta.SetList(into, found)
}

// The fields that Karpenter indexes, of the kinds that the provisioner lists by them.
func fieldsOf(object client.Object) fields.Set {
	if pod, ok := object.(*corev1.Pod); ok {
		return fields.Set{"spec.nodeName": pod.Spec.NodeName}
	}
	panic(fmt.Sprintf("no indexed fields of %T", object))
}

package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"sort"

	corev1 "k8s.io/api/core/v1"
	kwok "sigs.k8s.io/karpenter/kwok/cloudprovider"
	"sigs.k8s.io/karpenter/kwok/options"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

type requirement struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

type offering struct {
	Requirements []requirement `json:"requirements"`
	Available    bool          `json:"available"`
	Price        float64       `json:"price"`
}

type instanceType struct {
	Name         string              `json:"name"`
	Requirements []requirement       `json:"requirements"`
	Offerings    []offering          `json:"offerings"`
	Capacity     corev1.ResourceList `json:"capacity"`
	Allocatable  corev1.ResourceList `json:"allocatable"`
}

type catalogue struct {
	InstanceTypes   []instanceType `json:"instanceTypes"`
	WellKnownLabels []string       `json:"wellKnownLabels"`
}

func printInstanceTypes(out io.Writer) error {
	path := &options.Options{InstanceTypesFilePath: os.Getenv("INSTANCE_TYPES_FILE_PATH")}
	types, err := kwok.ConstructInstanceTypes(options.ToContext(context.Background(), path))
	if err != nil {
		return err
	}
	printed := catalogue{}
	for _, it := range types {
		entry := instanceType{
			Name:         it.Name,
			Requirements: entries(it.Requirements),
			Capacity:     it.Capacity,
			Allocatable:  it.Allocatable(),
		}
		for _, of := range it.Offerings {
			requirements := entries(of.Requirements)
			entry.Offerings = append(entry.Offerings, offering{requirements, of.Available, of.Price})
		}
		printed.InstanceTypes = append(printed.InstanceTypes, entry)
	}
	// Construction of the types has added the keys of their offerings.
	printed.WellKnownLabels = v1.WellKnownLabels.UnsortedList()
	sort.Strings(printed.WellKnownLabels)
	return json.NewEncoder(out).Encode(printed)
}

func entries(requirements scheduling.Requirements) []requirement {
	list := make([]requirement, 0, len(requirements))
	for _, r := range requirements {
		values := r.Values()
		sort.Strings(values)
		list = append(list, requirement{r.Key, string(r.Operator()), values})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Key < list[j].Key })
	return list
}

// Command oracle-provider answers with the code of Karpenter's AWS provider: a question as JSON on each line of stdin, its answer as JSON on each line of stdout.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	aws "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype/compatibility"
	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type question struct {
	Op    string           `json:"op"`
	Class aws.EC2NodeClass `json:"class"`
	// Of the cluster's API server.
	CABundle string `json:"caBundle"`
	// As EC2 describes them.
	Types []ec2types.InstanceTypeInfo `json:"types"`
	// The feature gate NodeClassCEL.
	Expressions bool `json:"expressions"`
	// Expressions of kubelet settings, and what they may read.
	Texts     []string          `json:"texts"`
	Variables []json.RawMessage `json:"variables"`
}

func main() {
	log.SetLogger(logr.Discard())
	questions := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := bufio.NewWriter(os.Stdout)
	answers := json.NewEncoder(out)
	for {
		var asked question
		if err := questions.Decode(&asked); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			fail(err)
		}
		if err := answers.Encode(map[string]any{"answer": answer(&asked)}); err != nil {
			fail(err)
		}
	}
	if err := out.Flush(); err != nil {
		fail(err)
	}
}

func answer(asked *question) any {
	switch asked.Op {
	case "panic":
		return panicOf(&asked.Class)
	case "validate":
		return validationOf(asked)
	case "evaluate":
		return evaluate(asked)
	case "gates":
		return gates()
	case "hash":
		return asked.Class.Hash(&asked.CABundle)
	case "resources":
		return resourcesOf(asked)
	case "compatible":
		return compatibleTypes(asked)
	}
	fail(fmt.Errorf("no operation is called %q", asked.Op))
	return nil
}

// The names of the types that the class accepts.
func compatibleTypes(asked *question) []string {
	names := []string{}
	for _, info := range asked.Types {
		if compatibility.IsCompatibleWithNodeClass(info, &asked.Class, nil) {
			names = append(names, string(info.InstanceType))
		}
	}
	return names
}

// What nodes of the class have, for each type: before any reserve, and for pods.
func resourcesOf(asked *question) []map[string]any {
	ctx := contextOf(asked.Expressions)
	answers := []map[string]any{}
	for _, info := range asked.Types {
		it := resolve(ctx, &asked.Class, info)
		if it == nil {
			return nil
		}
		answers = append(answers, map[string]any{"capacity": it.Capacity, "allocatable": it.Allocatable()})
	}
	return answers
}

// The feature gates of Karpenter with their defaults.
func gates() map[string]bool {
	all := map[string]bool{}
	for _, some := range defaultGates() {
		text, err := json.Marshal(some)
		if err != nil {
			fail(err)
		}
		if err := json.Unmarshal(text, &all); err != nil {
			fail(err)
		}
	}
	return all
}

// What the provider panics with when it computes instance types for the class, or nil.
func panicOf(class *aws.EC2NodeClass) (cause any) {
	defer func() {
		if panicked := recover(); panicked != nil {
			cause = fmt.Sprint(panicked)
		}
	}()
	ctx := contextOf(false)
	if it := resolve(ctx, class, someType()); it != nil {
		it.Allocatable()
	}
	return nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "oracle-provider:", err)
	os.Exit(2)
}

func pointer[T any](value T) *T { return &value }

// An instance type as EC2 describes one, with the fields that Karpenter reads.
func someType() ec2types.InstanceTypeInfo {
	return ec2types.InstanceTypeInfo{
		InstanceType:                  "m5.large",
		BareMetal:                     pointer(false),
		Hypervisor:                    ec2types.InstanceTypeHypervisorNitro,
		SupportedUsageClasses:         []ec2types.UsageClassType{"on-demand", "spot"},
		SupportedVirtualizationTypes:  []ec2types.VirtualizationType{"hvm"},
		BurstablePerformanceSupported: pointer(false),
		CurrentGeneration:             pointer(true),
		FreeTierEligible:              pointer(false),
		ProcessorInfo: &ec2types.ProcessorInfo{
			Manufacturer:           pointer("Intel"),
			SupportedArchitectures: []ec2types.ArchitectureType{"x86_64"},
		},
		VCpuInfo:   &ec2types.VCpuInfo{DefaultCores: pointer(int32(1)), DefaultVCpus: pointer(int32(2))},
		MemoryInfo: &ec2types.MemoryInfo{SizeInMiB: pointer(int64(8192))},
		EbsInfo: &ec2types.EbsInfo{
			EbsOptimizedSupport: "default", EncryptionSupport: "supported", NvmeSupport: "required",
			EbsOptimizedInfo: &ec2types.EbsOptimizedInfo{
				BaselineBandwidthInMbps: pointer(int32(650)), MaximumBandwidthInMbps: pointer(int32(4750)),
			},
		},
		NetworkInfo: &ec2types.NetworkInfo{
			MaximumNetworkInterfaces: pointer(int32(3)), Ipv4AddressesPerInterface: pointer(int32(10)),
			EncryptionInTransitSupported: pointer(true), DefaultNetworkCardIndex: pointer(int32(0)),
			NetworkCards: []ec2types.NetworkCardInfo{
				{NetworkCardIndex: pointer(int32(0)), MaximumNetworkInterfaces: pointer(int32(3))},
			},
		},
	}
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	aws "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	clock "k8s.io/utils/clock/testing"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/utils/resources"
)

// A call that has not returned by then hangs.
const patience = 5 * time.Second

// Set in the child process that may crash.
const victim = "ORACLE_VICTIM"

var living *process

type process struct {
	command *exec.Cmd
	in      io.Writer
	out     *json.Decoder
}

// Answers whether Karpenter survives an object that the API server serves: the crash, or null. A hang cannot be
// stopped within a process, so a child process runs it.
func survive(question json.RawMessage) any {
	if os.Getenv(victim) != "" {
		return deathBy(question)
	}
	if living == nil {
		living = start()
	}
	asked := living
	answered := make(chan any, 1)
	go func() {
		var r reply
		_, err := fmt.Fprintf(asked.in, "%s\n", question)
		if err == nil {
			err = asked.out.Decode(&r)
		}
		if err != nil {
			_ = asked.command.Wait()
			r.Answer = map[string]any{"dies": "the process ends"}
		}
		answered <- r.Answer
	}()
	select {
	case answer := <-answered:
		if asked.command.ProcessState != nil {
			living = nil
		}
		return answer
	case <-time.After(patience):
		_ = asked.command.Process.Kill()
		_ = asked.command.Wait()
		living = nil
		return map[string]any{"dies": "it does not end"}
	}
}

func start() *process {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), victim+"=1")
	in, err := command.StdinPipe()
	if err != nil {
		fail(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		fail(err)
	}
	if err := command.Start(); err != nil {
		fail(err)
	}
	return &process{command, in, json.NewDecoder(out)}
}

type step struct {
	name string
	do   func() error
}

// Karpenter's steps for an object, up to the first that crashes it: by an error that stops an informer, or by a panic.
func deathBy(question json.RawMessage) any {
	var asked struct {
		Object json.RawMessage `json:"object"`
	}
	read(question, &asked)
	var named struct {
		Kind string `json:"kind"`
	}
	read(asked.Object, &named)
	steps := map[string]func(json.RawMessage) []step{"NodePool": poolSteps, "EC2NodeClass": classSteps}[named.Kind]
	if steps == nil {
		fail(fmt.Errorf("no kind %q", named.Kind))
	}
	for _, one := range steps(asked.Object) {
		if cause := causeOf(one.do); cause != "" {
			return map[string]any{"dies": one.name + ": " + cause}
		}
	}
	return map[string]any{"dies": nil}
}

func causeOf(do func() error) (cause string) {
	defer func() {
		if panicked := recover(); panicked != nil {
			cause = fmt.Sprint("panic: ", panicked)
		}
	}()
	if err := do(); err != nil {
		return err.Error()
	}
	return ""
}

// An informer reads a list: one item that cannot be decoded fails the whole list.
func decodeList(kind string, apiVersion string, object json.RawMessage, into runtime.Object) error {
	list, err := json.Marshal(map[string]any{
		"apiVersion": apiVersion, "kind": kind + "List", "metadata": map[string]any{}, "items": []json.RawMessage{object},
	})
	if err != nil {
		return err
	}
	codec := serializer.NewCodecFactory(scheme.Scheme).UniversalDeserializer()
	_, _, err = codec.Decode(list, nil, into)
	return err
}

func poolSteps(object json.RawMessage) []step {
	list := &v1.NodePoolList{}
	pool := &v1.NodePool{}
	used := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("3920m"),
		corev1.ResourceMemory: resource.MustParse("16Gi"),
		resources.Node:        resource.MustParse("1"),
	}
	return []step{
		{"list", func() error {
			if err := decodeList("NodePool", "karpenter.sh/v1", object, list); err != nil {
				return err
			}
			pool = list.Items[0].DeepCopy()
			return nil
		}},
		{"hash", func() error { pool.Hash(); return nil }},
		// An error only sets a condition of the pool.
		{"validate", func() error { _ = pool.RuntimeValidate(context.Background()); return nil }},
		{"budgets", func() error {
			reasons := []v1.DisruptionReason{
				v1.DisruptionReasonDrifted, v1.DisruptionReasonEmpty, v1.DisruptionReasonUnderutilized,
			}
			for _, reason := range reasons {
				for _, at := range []string{"2026-08-01T00:00:00Z", "2026-02-28T23:59:59Z"} {
					moment, _ := time.Parse(time.RFC3339, at)
					pool.MustGetAllowedDisruptions(clock.NewFakeClock(moment), 10, reason)
				}
			}
			return nil
		}},
		{"limits", func() error { _ = pool.Spec.Limits.ExceededBy(used); return nil }},
		{"metrics", func() error {
			for _, limit := range pool.Spec.Limits {
				limit.MilliValue()
				limit.Value()
			}
			return nil
		}},
		// As the scheduler subtracts limits (scheduler.go, subtractMax, filterByRemainingResources).
		{"remaining", func() error {
			left := corev1.ResourceList(pool.Spec.Limits)
			for range 3 {
				for name, quantity := range left {
					resources.Cmp(used[name], quantity)
				}
				left = resources.Subtract(left, used)
			}
			return nil
		}},
		{"claim", func() error {
			template := scheduling.NewNodeClaimTemplate(pool)
			template.ToNodeClaim()
			return nil
		}},
		// The API server validates the claim.
		{"write", func() error {
			template := scheduling.NewNodeClaimTemplate(pool)
			claim := &v1.NodeClaim{ObjectMeta: template.ObjectMeta, Spec: template.Spec}
			if _, err := json.Marshal(claim); err != nil {
				return err
			}
			_, err := json.Marshal(pool)
			return err
		}},
	}
}

func classSteps(object json.RawMessage) []step {
	list := &aws.EC2NodeClassList{}
	class := &aws.EC2NodeClass{}
	return []step{
		{"list", func() error {
			if err := decodeList("EC2NodeClass", "karpenter.k8s.aws/v1", object, list); err != nil {
				return err
			}
			class = list.Items[0].DeepCopy()
			return nil
		}},
		{"hash", func() error { class.Hash(nil); return nil }},
		{"write", func() error {
			_, err := json.Marshal(class)
			return err
		}},
	}
}

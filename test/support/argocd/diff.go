package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/resource"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	argodiff "github.com/argoproj/argo-cd/v3/util/argo/diff"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// What an Application wants in the cluster.
type comparison struct {
	Application v1alpha1.Application      `json:"application"`
	Target      unstructured.Unstructured `json:"target"`
}

type compared struct {
	Modified bool `json:"modified"`
	// What the user interface shows on both sides.
	Live      json.RawMessage `json:"live"`
	Predicted json.RawMessage `json:"predicted"`
}

// What the application controller compares, and how (controller/state.go, CompareAppState).
func compare(kubeconfig string, input io.Reader) (*compared, error) {
	var asked comparison
	if err := json.NewDecoder(input).Decode(&asked); err != nil {
		return nil, err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	ctl := &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}
	target := &asked.Target
	live, err := ctl.GetResource(context.Background(), config, target.GroupVersionKind(), target.GetName(), "")
	if err != nil {
		return nil, err
	}
	settings, cleanup, err := diffConfig(&asked.Application, ctl, config)
	if err != nil {
		return nil, err
	}
	defer cleanup()
	result, err := argodiff.StateDiff(live, target, settings)
	if err != nil {
		return nil, err
	}
	return &compared{result.Modified, result.NormalizedLive, result.PredictedLive}, nil
}

func diffConfig(app *v1alpha1.Application, ctl *kube.KubectlCmd, config *rest.Config) (argodiff.DiffConfig, func(), error) {
	_, parser, err := ctl.LoadOpenAPISchema(config)
	if err != nil {
		return nil, nil, err
	}
	has := func(option string) bool {
		return resource.HasAnnotationOption(app, common.AnnotationCompareOptions, option)
	}
	options := app.Spec.SyncPolicy
	isServerSide := has("ServerSideDiff=true")
	builder := argodiff.NewDiffConfigBuilder().
		WithDiffSettings(app.Spec.IgnoreDifferences, nil, true, normalizers.IgnoreNormalizerOpts{}).
		WithTracking(common.LabelKeyAppInstance, string(v1alpha1.TrackingMethodAnnotation)).
		WithNoCache().
		WithGVKParser(parser).
		WithManager(common.ArgoCDSSAManager).
		WithIgnoreMutationWebhook(!has("IncludeMutationWebhook=true")).
		WithServerSideDiff(isServerSide).
		WithStructuredMergeDiff(options != nil && options.SyncOptions.HasOption("ServerSideApply=true"))
	cleanup := func() {}
	if isServerSide {
		applier, end, err := ctl.ManageServerSideDiffDryRuns(config)
		if err != nil {
			return nil, nil, err
		}
		cleanup = end
		builder.WithServerSideDryRunner(diff.NewK8sServerSideDryRunner(applier))
	}
	built, err := builder.Build()
	return built, cleanup, err
}

func printComparison(kubeconfig string) error {
	result, err := compare(kubeconfig, os.Stdin)
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

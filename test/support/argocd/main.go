// Command argocd is argocd-cmp-server (`argocd server [flags]`), or repo-server's side of it (`argocd ask METHOD SOCKET
// REPOSITORY APPLICATION`): an Application's spec.source.plugin as JSON on stdin goes in, the answer as JSON comes out; or
// the application controller's comparison (`argocd diff KUBECONFIG`): an Application and one object of it go in.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/cmp"
	"google.golang.org/protobuf/types/known/emptypb"
)

// The limit of repo-server.
const timeout = 60 * time.Second

func main() {
	switch {
	case len(os.Args) > 1 && os.Args[1] == "server":
		os.Args = append([]string{"argocd-cmp-server"}, os.Args[2:]...)
		if err := commands.NewCommand().Execute(); err != nil {
			os.Exit(1)
		}
	case len(os.Args) == 6 && os.Args[1] == "ask":
		if err := ask(os.Args[2], os.Args[3], os.Args[4], os.Args[5]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case len(os.Args) == 3 && os.Args[1] == "diff":
		if err := printComparison(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	default:
		fmt.Fprintln(os.Stderr, "usage: argocd server [flags] | argocd ask METHOD SOCKET REPOSITORY APPLICATION | argocd diff KUBECONFIG")
		os.Exit(2)
	}
}

type answer struct {
	Value any `json:"value,omitempty"`
	// What the user interface shows when it went wrong.
	Error        string `json:"error,omitempty"`
	Milliseconds int64  `json:"milliseconds"`
}

func ask(method, socket, repository, application string) error {
	var plugin v1alpha1.ApplicationSourcePlugin
	input := json.NewDecoder(os.Stdin)
	input.DisallowUnknownFields()
	if err := input.Decode(&plugin); err != nil {
		return err
	}
	env, err := environment(plugin, application)
	if err != nil {
		return err
	}
	connection, client, err := apiclient.NewConfigManagementPluginClientSet(socket).NewConfigManagementPluginClient()
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	start := time.Now()
	value, err := call(ctx, client, method, filepath.Join(repository, application), repository, env)
	result := answer{Value: value, Milliseconds: time.Since(start).Milliseconds()}
	if err != nil {
		result.Value, result.Error = nil, err.Error()
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

// The stream that each method but one opens.
type stream[Response any] interface {
	Send(*apiclient.AppStreamRequest) error
	CloseAndRecv() (Response, error)
}

func call(
	ctx context.Context,
	client apiclient.ConfigManagementPluginServiceClient,
	method, application, repository string,
	env []string,
) (any, error) {
	switch method {
	case "CheckPluginConfiguration":
		return client.CheckPluginConfiguration(ctx, &emptypb.Empty{})
	case "MatchRepository":
		opened, err := client.MatchRepository(ctx)
		return send(ctx, opened, err, application, repository, env)
	case "GenerateManifest":
		opened, err := client.GenerateManifest(ctx)
		return send(ctx, opened, err, application, repository, env)
	case "GetParametersAnnouncement":
		opened, err := client.GetParametersAnnouncement(ctx)
		return send(ctx, opened, err, application, repository, env)
	}
	return nil, fmt.Errorf("unknown method %s", method)
}

func send[Response any](
	ctx context.Context,
	opened stream[Response],
	err error,
	application, repository string,
	env []string,
) (any, error) {
	if err != nil {
		return nil, err
	}
	if err := cmp.SendRepoStream(ctx, application, repository, opened, env, nil); err != nil {
		return nil, err
	}
	return opened.CloseAndRecv()
}

// What repo-server sends along (reposerver/repository/repository.go, getPluginEnvs).
func environment(plugin v1alpha1.ApplicationSourcePlugin, application string) ([]string, error) {
	env := []string{
		"ARGOCD_APP_NAME=nodes",
		"ARGOCD_APP_NAMESPACE=default",
		"ARGOCD_APP_SOURCE_PATH=" + application,
		"KUBE_VERSION=1.36",
		"KUBE_API_VERSIONS=v1",
	}
	for _, entry := range plugin.Env {
		env = append(env, fmt.Sprintf("ARGOCD_ENV_%s=%s", entry.Name, entry.Value))
	}
	parameters, err := plugin.Parameters.Environ()
	return append(env, parameters...), err
}

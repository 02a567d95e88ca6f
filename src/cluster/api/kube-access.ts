/** A kubeconfig, or the service account of the pod, in; the server's address and fresh credentials for each request out. */
import type { RequestOptions } from "node:https";
import { KubeConfig } from "@kubernetes/client-node";
import { ClusterError } from "./cluster-error.ts";
import { sharedTlsContext } from "./tls-context.ts";

export interface KubeAccessOptions {
  /** Else `KUBECONFIG`, `~/.kube/config`, or the service account of the pod. */
  readonly kubeconfig?: string | undefined;
  /** Else the current one. */
  readonly context?: string | undefined;
}

export interface KubeAccess {
  readonly server: string;
  /** Tokens rotate: asked for each request. The agent is set only where a proxy needs its own. */
  readonly credentials: () => Promise<RequestOptions>;
  /** Reads the kubeconfig anew at the next request: the server did not know us. */
  readonly forget: () => void;
}

/** @throws ClusterError in one line */
export function kubeAccess(options: KubeAccessOptions): KubeAccess {
  let config: KubeConfig | undefined = load(options);
  const server = serverOf(config);
  const withTls = server.startsWith("https:") ? sharedTlsContext() : (request: RequestOptions) => request;
  return {
    server,
    credentials: async () => {
      config ??= load(options);
      const request: RequestOptions = { headers: {} };
      try {
        await config.applyToHTTPSOptions(request);
        // The agent of the client keeps no connection open, which costs a handshake for each request.
        if (config.getCurrentCluster()?.proxyUrl === undefined) delete request.agent;
        return withTls(request);
      } catch (error) {
        throw new ClusterError(`${server}: the credentials of the kubeconfig cannot be had: ${firstLine(error)}`);
      }
    },
    forget: () => {
      config = undefined;
    },
  };
}

function load({ kubeconfig, context }: KubeAccessOptions): KubeConfig {
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    throw new ClusterError(`the kubeconfig ${kubeconfig ?? ""} cannot be read: ${firstLine(error)}`);
  }
  if (context === undefined) return config;
  const names = config.getContexts().map(({ name }) => name);
  if (!names.includes(context))
    throw new ClusterError(`the kubeconfig has no context ${context}; it has ${names.join(", ") || "none"}`);
  config.setCurrentContext(context);
  return config;
}

function serverOf(config: KubeConfig): string {
  const server = config.getCurrentCluster()?.server;
  // What the client falls back to where it finds no kubeconfig at all: nobody's cluster.
  if (server === undefined || server === "http://localhost:8080")
    throw new ClusterError(
      "no cluster is given: name a kubeconfig and a context, or run in a pod with a service account",
    );
  return server.replace(/\/$/, "");
}

function firstLine(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).split("\n")[0] ?? "";
}

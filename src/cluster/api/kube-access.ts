/** A server's address, and fresh credentials for each request. */
import { existsSync, statSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { ClusterError } from "./cluster-error.ts";
import { inlineKubeconfig } from "./inline-kubeconfig.ts";
import { requestOptions } from "./request-options.ts";

export interface KubeAccessOptions {
  /** Else `KUBECONFIG`, `~/.kube/config`, or the service account of the pod. */
  readonly kubeconfig?: string | undefined;
  /** Else the current one. */
  readonly context?: string | undefined;
  /** Whoever asks owns the kubeconfig, and it may do all that kubectl lets it do: run programs, read files. */
  readonly isOwn?: boolean | undefined;
  /** In place of all the others. */
  readonly access?: KubeAccess;
}

interface Credentials {
  readonly server: string;
  /** The agent is set only where a proxy needs its own. */
  readonly request: RequestOptions;
}

export interface KubeAccess {
  /** As it was read last. */
  readonly server: string;
  /**
   * Asked for each request: tokens rotate, and files that have changed are read anew.
   *
   * @throws ClusterError where they cannot be used any more
   */
  readonly credentials: () => Promise<Credentials>;
  /** Reads the kubeconfig anew at the next request: the server did not know us, or is not there. */
  readonly forget: () => void;
}

/**
 * From a kubeconfig, or else from the service account of the pod.
 *
 * @throws ClusterError in one line
 */
export function kubeAccess(options: KubeAccessOptions): KubeAccess {
  const optionsOf = requestOptions();
  let last = load(options);
  let isStale = false;
  const current = (): Loaded => {
    if (isStale || stampOf(last.files) !== last.stamp) last = load(options);
    isStale = false;
    return last;
  };
  return {
    get server() {
      return last.server;
    },
    credentials: async () => {
      const { config, server, isWrittenOut } = current();
      try {
        return { server, request: await optionsOf(config, isWrittenOut) };
      } catch (error) {
        throw new ClusterError(`${server}: the credentials of the kubeconfig cannot be had: ${firstLine(error)}`);
      }
    },
    forget: () => {
      isStale = true;
    },
  };
}

interface Loaded {
  readonly config: KubeConfig;
  readonly server: string;
  readonly isWrittenOut: boolean;
  /** What it was read from; none for the service account of the pod, whose token and CA are read for each request. */
  readonly files: readonly string[];
  /** Changes with each of them. */
  readonly stamp: string;
}

function load(options: KubeAccessOptions): Loaded {
  const { kubeconfig, context, isOwn = false } = options;
  const files = kubeconfig === undefined ? ownFiles() : [kubeconfig];
  // Taken before, so that what changes while it is read is read again.
  const stamp = stampOf(files);
  const isWrittenOut = files.length > 0 && !isOwn;
  const config = isWrittenOut ? attempt(kubeconfig, () => inlineKubeconfig(files, context)) : asKubectl(options);
  return { config, server: serverOf(config), isWrittenOut, files, stamp };
}

/** All that kubectl takes, or the service account of the pod. */
function asKubectl({ kubeconfig, context }: KubeAccessOptions): KubeConfig {
  const config = new KubeConfig();
  attempt(kubeconfig, () => {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  });
  if (context === undefined) return config;
  const names = config.getContexts().map(({ name }) => name);
  if (!names.includes(context))
    throw new ClusterError(`the kubeconfig has no context ${context}; it has ${names.join(", ") || "none"}`);
  config.setCurrentContext(context);
  return config;
}

/** Where kubectl looks. */
function ownFiles(): string[] {
  const given = (process.env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "");
  if (given.length > 0) return given;
  const file = join(process.env["HOME"] ?? homedir(), ".kube", "config");
  return existsSync(file) ? [file] : [];
}

/** Of a mounted Secret it changes as well: its files are links to a folder that is replaced. */
function stampOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found === undefined ? "-" : `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
    })
    .join("\n");
}

function attempt<T>(kubeconfig: string | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    throw new ClusterError(`the kubeconfig ${kubeconfig ?? ""} cannot be read: ${firstLine(error)}`);
  }
}

function serverOf(config: KubeConfig): string {
  const server = config.getCurrentCluster()?.server;
  // What the client falls back to where it finds no kubeconfig at all: nobody's cluster.
  if (server === undefined || server === "http://localhost:8080")
    throw new ClusterError(
      "no cluster is given: name a kubeconfig and a context, or run in a pod with a service account",
    );
  if (/^http:/i.test(server) && config.getCurrentCluster()?.skipTLSVerify !== true)
    throw new ClusterError(
      `${server}: the kubeconfig names a server without TLS, where anybody could read the credentials: write its https address, or with kubectl proxy set insecure-skip-tls-verify`,
    );
  return server.replace(/\/$/, "");
}

function firstLine(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).split("\n")[0] ?? "";
}

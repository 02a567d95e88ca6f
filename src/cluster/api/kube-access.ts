/** The address of an API server, and current credentials for each request. */
import { existsSync, statSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { ClusterError } from "./api-answer.ts";
import { inlineKubeconfig } from "./inline-kubeconfig.ts";
import { firstLine, requestOptions } from "./connections.ts";

export interface KubeAccessOptions {
  /** Else `KUBECONFIG`, `~/.kube/config`, or the service account of the pod. */
  readonly kubeconfig?: string | undefined;
  /** Else the current one. */
  readonly context?: string | undefined;
  /** The kubeconfig is the user's own: as for kubectl, it may run programs and read files. */
  readonly isOwn?: boolean | undefined;
  /** Replaces all other options. */
  readonly access?: KubeAccess;
}

interface Credentials {
  readonly server: string;
  /** The agent is set only if a proxy needs one. */
  readonly request: RequestOptions;
}

export interface KubeAccess {
  /** As last read. */
  readonly server: string;
  /**
   * Called for each request, because tokens rotate and files change.
   *
   * @throws ClusterError if they can no longer be used
   */
  readonly credentials: () => Promise<Credentials>;
  /** The next request reads the kubeconfig again: the server refused the credentials or did not answer. */
  readonly forget: () => void;
}

/**
 * Of a kubeconfig, or of the pod's service account.
 *
 * @throws ClusterError in one line
 */
export function kubeAccess(options: KubeAccessOptions): KubeAccess {
  const optionsOf = requestOptions("the kubeconfig");
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
      return { server, request: await optionsOf(config, server, isWrittenOut) };
    },
    forget: () => {
      isStale = true;
    },
  };
}

/** Like `kubeAccess`, for a kubeconfig that cannot be used yet: each request tries to read it again. */
export function pendingKubeAccess(options: KubeAccessOptions): KubeAccess {
  let access: KubeAccess | undefined;
  return {
    get server() {
      return access?.server ?? options.kubeconfig ?? options.context ?? "the cluster";
    },
    credentials: async () => (access ??= kubeAccess(options)).credentials(),
    forget: () => access?.forget(),
  };
}

interface Loaded {
  readonly config: KubeConfig;
  readonly server: string;
  readonly isWrittenOut: boolean;
  /** The files of the kubeconfig; none for a service account, whose token and CA are read for each request. */
  readonly files: readonly string[];
  /** Changes when one of the files changes. */
  readonly stamp: string;
}

function load(options: KubeAccessOptions): Loaded {
  const { kubeconfig, context, isOwn = false } = options;
  const files = kubeconfig === undefined ? ownFiles() : [kubeconfig];
  // Taken before the read, so that a change during the read is noticed.
  const stamp = stampOf(files);
  const isWrittenOut = files.length > 0 && !isOwn;
  const config = isWrittenOut ? attempt(kubeconfig, () => inlineKubeconfig(files, context)) : asKubectl(options);
  return { config, server: serverOf(config), isWrittenOut, files, stamp };
}

/** A kubeconfig with everything that kubectl allows, or the pod's service account. */
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

/** The name of the context that is used, or why the kubeconfig cannot be used. */
export function contextName(options: KubeAccessOptions): string | { readonly problem: string } {
  return askedOf(options, (config) => config.getCurrentContext());
}

/** The names of all contexts, or why the kubeconfig cannot be used. */
export function contextNames(options: KubeAccessOptions): readonly string[] | { readonly problem: string } {
  return askedOf({ kubeconfig: options.kubeconfig }, (config) => config.getContexts().map(({ name }) => name));
}

function askedOf<T>(options: KubeAccessOptions, ask: (config: KubeConfig) => T): T | { readonly problem: string } {
  try {
    return ask(asKubectl(options));
  } catch (error) {
    if (error instanceof ClusterError) return { problem: error.message };
    throw error;
  }
}

/** The files that kubectl reads. */
function ownFiles(): string[] {
  const given = (process.env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "");
  if (given.length > 0) return given;
  const file = join(process.env["HOME"] ?? homedir(), ".kube", "config");
  return existsSync(file) ? [file] : [];
}

/** Also changes for a mounted Secret: its files are links into a folder that is replaced. */
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
  // The client library's default when it finds no kubeconfig.
  if (server === undefined || server === "http://localhost:8080")
    throw new ClusterError(
      "no cluster is given: name a kubeconfig and a context, or run in a pod with a service account",
    );
  if (/^http:/i.test(server) && config.getCurrentCluster()?.skipTLSVerify !== true)
    throw new ClusterError(
      `${server}: the kubeconfig names a server without TLS, so that the credentials could be read on the network: write its https address, or with kubectl proxy set insecure-skip-tls-verify`,
    );
  return server.replace(/\/$/, "");
}

/** Defaults, flags and paths that every form of a watch shares. */
import type { KubeAccessOptions } from "../../cluster/api/kube-access.ts";
import type { Profile } from "../../model/profile.ts";
import type { WatchOptions } from "./options.ts";

export const DEFAULTS = {
  intervalMs: 60_000,
  maxPrune: 5,
  concurrency: 4,
  nodeLimits: "Disruption",
  onPolicyUnreadable: "Hold",
} as const;

export function shared({ adopt, allowEmpty = false, dryRun = false }: WatchOptions) {
  return { adopt: new Set(adopt), allowEmpty, dryRun };
}

export function renderOptions({ requirePolicy, featureGates }: WatchOptions, profile: Profile | undefined) {
  return { profile, requirePolicy, autoNode: featureGates === "AutoNode=true" };
}

export interface Near {
  readonly path: (path: string) => string;
  readonly access: (given: {
    readonly kubeconfig?: string | undefined;
    readonly context?: string | undefined;
  }) => KubeAccessOptions;
}

/** Paths in a file are relative to it. */
export function near(file: string): Near {
  const toPath = (path: string): string =>
    path.startsWith("/") || !file.includes("/") ? path : `${file.slice(0, file.lastIndexOf("/"))}/${path}`;
  return {
    path: toPath,
    access: ({ kubeconfig, context }) => ({
      kubeconfig: kubeconfig === undefined ? undefined : toPath(kubeconfig),
      context,
    }),
  };
}

/** NodeClaims as hints: where a Hard limit is to be kept, a node that comes or goes rings the bell. */
import type { ClusterApi } from "../api/cluster-api.ts";
import { NODE_CLAIMS } from "../api/served-kind.ts";
import type { Bell } from "../waiting/bell.ts";
import { hintOnChange } from "./hints.ts";

interface Options {
  readonly signal: AbortSignal;
  readonly random: () => number;
  /** Whether the last pass had a pool with a Hard limit: nobody else needs to know. */
  readonly matters: () => boolean;
}

/** Ends with the signal. */
export async function hintOnNodeClaims(
  api: Pick<ClusterApi, "watch">,
  bell: Bell,
  { matters, ...options }: Options,
): Promise<void> {
  const ring = (): void => {
    if (matters()) bell.ring();
  };
  await hintOnChange(api, NODE_CLAIMS, { ...bell, ring }, options);
}

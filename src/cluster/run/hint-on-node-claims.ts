/** NodeClaims as hints: with a Hard limit to keep, a node that comes or goes raises the signal. */
import type { ClusterApi } from "../api/cluster-api.ts";
import { NODE_CLAIMS } from "../api/served-kind.ts";
import type { PendingSignal } from "../waiting/pending-signal.ts";
import { hintOnChange, type HintOptions } from "./hints.ts";

interface Options extends Omit<HintOptions, "labelSelector" | "pulse"> {
  /** Whether the last pass had a pool with a Hard limit: nobody else needs to know. */
  readonly matters: () => boolean;
  /** Raised after each pass. */
  readonly passed: PendingSignal;
}

/** Ends with the signal. A watch takes memory: there is none until it first matters, and it tells then what there is. */
export async function hintOnNodeClaims(
  api: Pick<ClusterApi, "watch">,
  pending: PendingSignal,
  { matters, passed, ...options }: Options,
): Promise<void> {
  for (passed.clear(); !matters() && !options.signal.aborted; passed.clear()) await passed.wait(options.signal);
  const raise = (): void => {
    if (matters()) pending.raise();
  };
  await hintOnChange(api, NODE_CLAIMS, { ...pending, raise }, options);
}

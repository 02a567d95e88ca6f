/** NodeClaims as hints: with a Hard limit to keep, a node that comes or goes raises the signal. */
import type { ClusterApi } from "../api/cluster-api.ts";
import { NODE_CLAIMS } from "../api/served-kind.ts";
import type { WakeUp } from "../waiting/wake-up.ts";
import { triggerOnChange, type TriggerOptions } from "./watch-triggers.ts";

interface Options extends Omit<TriggerOptions, "labelSelector" | "pulse"> {
  /** Whether the last pass had a pool with a Hard limit: other pools do not need it. */
  readonly matters: () => boolean;
  /** Raised after each pass. */
  readonly passed: WakeUp;
}

/** Ends with the signal. A watch takes memory: there is none until it first matters, and it tells then what there is. */
export async function triggerOnNodeClaims(
  api: Pick<ClusterApi, "watch">,
  pending: WakeUp,
  { matters, passed, ...options }: Options,
): Promise<void> {
  for (passed.clear(); !matters() && !options.signal.aborted; passed.clear()) await passed.wait(options.signal);
  const raise = (): void => {
    if (matters()) pending.raise();
  };
  await triggerOnChange(api, NODE_CLAIMS, { ...pending, raise }, options);
}

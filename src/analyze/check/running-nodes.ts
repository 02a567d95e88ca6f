/** How long existing nodes that no longer fit a policy may lifetime. */
import { nodeLimitOf } from "../../karpenter/disruption/node-limit.ts";
import { longestLifetime } from "../../karpenter/disruption/lifetime-bounds.ts";
import { TERMINATION_TIMESTAMP } from "../../model/requirements/reserved-keys.ts";
import type { Place } from "../../resolve/origin.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Settings } from "../../resolve/settings.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import { lengthText, nodeLifetimeOf } from "../running/node-lifetime.ts";

/**
 * `by`: each node is deleted within a known time after its creation, even if budgets and pods block. `goes`: drift or
 * expiry replaces it at an unknown time. `never`: neither does.
 */
type RunningUntil = "by" | "goes" | "never";

export interface RunningNodes {
  /** Fields with which a wrapper keeps its nodes forever; undefined if bounds of the RenderConfig prevent that. */
  readonly witness: Witness | undefined;
  /** The bounds of the RenderConfig. */
  readonly bounds: readonly RunningBound[];
  /** That of the pool that keeps its nodes longest; undefined without pools. */
  readonly until: RunningUntil | undefined;
  /** Sorted, with pools that keep nodes longest first. */
  readonly pools: readonly RunningPool[];
}

interface Witness {
  readonly expireAfter: string;
  readonly budgets?: readonly { readonly nodes: string }[];
  /** Annotations of the template. */
  readonly annotations?: Readonly<Record<string, string>>;
}

interface RunningBound {
  readonly bound: (typeof BOUNDS)[number];
  readonly value: string;
  readonly place: Place;
}

const BOUNDS = ["maxExpireAfter", "maxTerminationGracePeriod", "minDriftedBudget"] as const;

export interface RunningPool {
  readonly pool: string;
  readonly until: RunningUntil;
  /** The longest life of a node from its creation; null without a bound. */
  readonly longest: string | null;
  readonly why: string;
  readonly place: Place;
}

/** Nodes that a new policy does not admit drift. How long they lifetime depends on their pools. */
export function runningNodes(pools: readonly ResolvedPool[], { config, resource }: Settings): RunningNodes {
  const all = pools.map((pool) => runningPool(pool, config.minDriftedBudget));
  const longestFirst = (["never", "goes", "by"] as const).flatMap((until) => all.filter((one) => one.until === until));
  return {
    witness: witnessUnder(config),
    bounds: BOUNDS.flatMap((bound): RunningBound[] => {
      const value = config[bound];
      if (value === undefined || resource === undefined) return [];
      return [{ bound, value, place: { resource, path: ["spec", bound] } }];
    }),
    until: longestFirst[0]?.until,
    pools: longestFirst,
  };
}

/** A floor applies only to budgets. The annotation still blocks drift, and only expireAfter ends such a node. */
function witnessUnder({ maxExpireAfter, minDriftedBudget }: Settings["config"]): Witness | undefined {
  if (maxExpireAfter !== undefined) return undefined;
  const expireAfter = "Never";
  return minDriftedBudget === undefined
    ? { expireAfter, budgets: [{ nodes: "0" }] }
    : { expireAfter, annotations: { [DO_NOT_DISRUPT]: "true" } };
}

export function runningPool(
  { name, mode, wrapper, spec, replicas }: ResolvedPool,
  driftedFloor: string | undefined,
): RunningPool {
  const { expireAfter, terminationGracePeriod } = spec.template.spec;
  // Only the limit of a wrapper can be Hard (docs/upstream/karpenter.md#node-limits).
  const limitMode = mode === "raw" ? "Soft" : (spec.disruption?.nodeLimitMode ?? "Hard");
  const lifetime = nodeLifetimeOf({
    expireAfter,
    terminationGracePeriod,
    budgets: spec.disruption?.budgets,
    limit: nodeLimitOf(spec.limits, limitMode, driftedFloor),
    doNotDisrupt: spec.template.metadata?.annotations?.[DO_NOT_DISRUPT] === "true",
    hasDrainEnd: spec.template.metadata?.annotations?.[TERMINATION_TIMESTAMP] !== undefined,
    replicas,
  });
  const { until, why, path } = lifetime;
  const longest = longestLifetime(lifetime);
  return {
    pool: name,
    until: until === "open" ? "goes" : until,
    longest: longest === undefined ? null : lengthText(longest),
    why,
    place: { resource: wrapper, path },
  };
}

/** What a policy means to nodes that run already: how long those that no longer fit may stay. */
import { nodeLimitOf } from "../../karpenter/disruption/node-limit.ts";
import { longestStay } from "../../karpenter/disruption/node-stay.ts";
import type { Place } from "../../resolve/origin.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Settings } from "../../resolve/settings.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import { lengthText, stayOf } from "../running/stay.ts";

/**
 * `by`: each is gone by a time after it was made, whatever anybody does. `goes`: drift or expiry takes it, and nobody
 * can tell when. `never`: nothing ever does.
 */
type RunningUntil = "by" | "goes" | "never";

export interface RunningNodes {
  /** What any wrapper may say, so that its nodes stay for ever; undefined where bounds of the RenderConfig let none. */
  readonly witness: Witness | undefined;
  /** Those that the RenderConfig sets. */
  readonly bounds: readonly RunningBound[];
  /** Of the pool that keeps its nodes longest; undefined where there are no pools. */
  readonly until: RunningUntil | undefined;
  /** Those that keep nodes longest come first. */
  readonly pools: readonly RunningPool[];
}

interface Witness {
  readonly expireAfter: string;
  readonly budgets?: readonly { readonly nodes: string }[];
  /** Of the template. */
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
  /** From the making of a node to its end at the latest; null where nothing bounds it. */
  readonly longest: string | null;
  readonly why: string;
  readonly place: Place;
}

/** A new policy drifts the nodes that it does not admit, and what follows is the pools' own. */
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

/** A floor is about budgets alone: the annotation keeps drift away, and only a lifetime ends such a node. */
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
  // Only of a wrapper a limit binds (docs/upstream/karpenter.md#node-limits).
  const binds = mode === "raw" ? "Soft" : (spec.disruption?.nodeLimitMode ?? "Hard");
  const stay = stayOf({
    expireAfter,
    terminationGracePeriod,
    budgets: spec.disruption?.budgets,
    limit: nodeLimitOf(spec.limits, binds, driftedFloor),
    doNotDisrupt: spec.template.metadata?.annotations?.[DO_NOT_DISRUPT] === "true",
    replicas,
  });
  const { until, why, path } = stay;
  const longest = longestStay(stay);
  return {
    pool: name,
    until: until === "open" ? "goes" : until,
    longest: longest === undefined ? null : lengthText(longest),
    why,
    place: { resource: wrapper, path },
  };
}

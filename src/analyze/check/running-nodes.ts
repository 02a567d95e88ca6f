/** What a policy means to nodes that run already: how long those that no longer fit may stay. */
import { goesAtSomeTime, longestStay, type NodeStay, nodeStay } from "../../karpenter/disruption/node-stay.ts";
import { formatGoDuration } from "../../model/go-duration.ts";
import type { Place } from "../../resolve/origin.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";

/**
 * `by`: each is gone by a time after it was made, whatever anybody does. `goes`: drift or expiry takes it, and nobody
 * can tell when. `never`: nothing ever does.
 */
type RunningUntil = "by" | "goes" | "never";

export interface RunningNodes {
  /** What any wrapper may say, so that its nodes stay for ever. */
  readonly witness: { readonly expireAfter: string; readonly budgets: readonly { readonly nodes: string }[] };
  /** Those that keep nodes longest come first. */
  readonly pools: readonly RunningPool[];
}

export interface RunningPool {
  readonly pool: string;
  readonly until: RunningUntil;
  readonly why: string;
  readonly place: Place;
}

/** A new policy drifts the nodes that it does not admit, and what follows is the pools' own. */
export function runningNodes(pools: readonly ResolvedPool[]): RunningNodes {
  const all = pools.map(runningPool);
  return {
    witness: { expireAfter: "Never", budgets: [{ nodes: "0" }] },
    pools: (["never", "goes", "by"] as const).flatMap((until) => all.filter((one) => one.until === until)),
  };
}

function runningPool({ name, wrapper, spec }: ResolvedPool): RunningPool {
  const { expireAfter, terminationGracePeriod } = spec.template.spec;
  const stay = nodeStay({ expireAfter, terminationGracePeriod, budgets: spec.disruption?.budgets });
  const longest = longestStay(stay);
  const until = longest !== undefined ? "by" : goesAtSomeTime(stay) ? "goes" : "never";
  const path = until === "by" ? ["spec", "template", "spec"] : placeOfWhy(stay);
  return { pool: name, until, why: whyOf(stay, longest), place: { resource: wrapper, path } };
}

function placeOfWhy({ drift }: NodeStay) {
  return drift === "never" ? ["spec", "disruption", "budgets"] : ["spec", "template", "spec"];
}

function whyOf({ drift, expiry, drain }: NodeStay, longest: number | undefined): string {
  if (longest !== undefined)
    return `each node is gone ${hours(longest)} after it was made at the latest: expireAfter and terminationGracePeriod end it, whatever budgets and pods say`;
  const byBudgets = { always: "as its budgets let them", sometimes: "while its budgets let them", never: "" }[drift];
  const held =
    drain === undefined
      ? "; without terminationGracePeriod a pod that may not be evicted holds its node for as long as it likes"
      : "";
  if (expiry === undefined)
    return drift === "never"
      ? "expireAfter is Never, and its budgets never let a drifted node go"
      : `drifted nodes go ${byBudgets}, and none by its age: expireAfter is Never${held}`;
  const age = `${hours(expiry)} after it was made each node begins to go`;
  return drift === "never"
    ? `its budgets never let a drifted node go; ${age}${held}`
    : `drifted nodes go ${byBudgets}; ${age}${held}`;
}

/** `720h` and `1h30m`, as people write them. */
function hours(milliseconds: number): string {
  const text = formatGoDuration(BigInt(milliseconds) * 1_000_000n);
  return text === "0s" ? text : text.replace(/(?<=[hm])0s$/, "").replace(/(?<=h)0m$/, "");
}

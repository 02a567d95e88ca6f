/** The methods of the disruption controller (docs/upstream/karpenter.md#removal-of-nodes). */
import { goSort } from "../solver/go-sort.ts";
import { mayPass, type Score, scoresOf } from "./balanced.ts";
import type { Candidate, Command, RunningCluster } from "./cluster.ts";
import { consolidate, cut, inOrder, type NotConsolidated, savingsOf, withoutSameType } from "./consolidate.ts";
import { type Removal, removeNodes } from "./remove-nodes.ts";

/** How many more nodes of each pool the budgets allow to be disrupted for a reason. */
export type Allowed = ReadonlyMap<string, number>;

/** Karpenter's controller stops at "no-pools", and begins again. */
export type Commands = readonly Command[] | "no-pools";

const MOST_AT_ONCE = 100;

/** `sortCandidates` (consolidation.go): what saves most for what it disrupts comes first. */
function byRatio(candidates: readonly Candidate[]): Candidate[] {
  const sorted = [...candidates];
  goSort(sorted, (a, b) => a.price / a.cost > b.price / b.cost);
  return sorted;
}

/** Those that the budgets allow, in order, and whether they hold any back. */
function within(candidates: readonly Candidate[], allowed: Allowed): Candidate[] {
  const left = new Map(allowed);
  return candidates.filter(({ pool: { name } }) => {
    const more = left.get(name) ?? 0;
    if (more > 0) left.set(name, more - 1);
    return more > 0;
  });
}

/** `Emptiness` (emptiness.go): all of them at once. */
export function emptyNodes(candidates: readonly Candidate[], allowed: Allowed): readonly Command[] {
  const chosen = within(byRatio(candidates), allowed);
  return chosen.length === 0 ? [] : [{ candidates: chosen, decision: "delete", replacements: [], existing: new Map() }];
}

/** `Drift` (drift.go): one node, those without pods first, then those that drifted first. */
export function driftedNode(cluster: RunningCluster, candidates: readonly Candidate[], allowed: Allowed): Commands {
  const sorted = [...candidates];
  goSort(sorted, (a, b) => (a.driftedAt ?? 0) < (b.driftedAt ?? 0));
  for (const candidate of [...sorted.filter(isWithoutPods), ...sorted.filter((one) => !isWithoutPods(one))]) {
    if ((allowed.get(candidate.pool.name) ?? 0) === 0) continue;
    const found = replaceDrifted(cluster, candidate);
    if (found === "no-pools") return found;
    if ("decision" in found) return [found];
  }
  return [];
}

function isWithoutPods({ pods }: Candidate): boolean {
  return pods === 0;
}

/** `SimulateSchedulingWithReservedFallback` (helpers.go). */
export function replaceDrifted(cluster: RunningCluster, candidate: Candidate): Command | Removal | "no-pools" {
  const removal = removeNodes(cluster, [candidate.node], { sparesNew: false });
  if (removal === "no-pools") return removal;
  const { claims, existing, failed } = removal;
  const candidates = [candidate];
  if (failed.length === 0) {
    const replacements = claims.map((claim) => cut(inOrder(cluster, claim), cluster));
    return { candidates, decision: replacements.length === 0 ? "delete" : "replace", replacements, existing };
  }
  const { reservation, capacityType } = candidate;
  if (!cluster.terminatesFirst || capacityType !== "reserved" || reservation === undefined) return removal;
  const first = removeNodes(cluster, [candidate.node], { sparesNew: false, credited: reservation });
  if (first === "no-pools" || first.failed.length > 0) return removal;
  return { candidates, decision: "terminate-first", replacements: [], existing: first.existing };
}

/** `MultiNodeConsolidation` (multinodeconsolidation.go): as many of the first as a binary search finds. */
export function severalNodes(cluster: RunningCluster, candidates: readonly Candidate[], allowed: Allowed): Commands {
  const sorted = within(byRatio(candidates), allowed);
  if (sorted.length < 2) return [];
  let [least, most] = [1, sorted.length <= MOST_AT_ONCE ? sorted.length - 1 : MOST_AT_ONCE];
  let best: Command | undefined;
  while (least <= most) {
    const middle = Math.floor((least + most) / 2);
    const found = several(cluster, sorted.slice(0, middle + 1));
    if (found === "no-pools") return found;
    if (found === undefined) most = middle - 1;
    else {
      best = found;
      least = middle + 1;
    }
  }
  return best === undefined ? [] : [best];
}

function several(cluster: RunningCluster, candidates: readonly Candidate[]): Command | "no-pools" | undefined {
  const found = consolidate(cluster, candidates);
  if ("why" in found) return found.why === "no-pools" ? found.why : undefined;
  const [replacement] = found.replacements;
  const other = replacement && withoutSameType(cluster, replacement, candidates);
  if (other !== undefined && "why" in other) return undefined;
  const command = other === undefined ? found : { ...found, replacements: [cut(other, cluster)] };
  return scoresOf(command, savingsOf(cluster, command)).every(({ approved }) => approved) ? command : undefined;
}

/** What consolidation does with one node. */
export type OfOne =
  | { readonly command: Command; readonly savings: number; readonly scores: readonly Score[] }
  | NotConsolidated
  /** The policy Balanced does not even let it go without a replacement. */
  | { readonly why: "score"; readonly scores: readonly Score[]; readonly command: Command; readonly savings: number };

/** Whether consolidation of one node takes this one, or why not. */
export function consolidateOne(cluster: RunningCluster, candidate: Candidate): OfOne {
  const command = consolidate(cluster, [candidate]);
  if ("why" in command) return command;
  const savings = savingsOf(cluster, command);
  const scores = scoresOf(command, savings);
  return scores.every(({ approved }) => approved)
    ? { command, savings, scores }
    : { why: "score", scores, command, savings };
}

/** `SingleNodeConsolidation` (singlenodeconsolidation.go): the first that works, a node of each pool in turn. */
export function oneNode(
  cluster: RunningCluster,
  candidates: readonly Candidate[],
  allowed: Allowed,
): readonly Command[] {
  for (const candidate of inTurn(byRatio(candidates))) {
    if ((allowed.get(candidate.pool.name) ?? 0) === 0 || !mayPass(candidate)) continue;
    const found = consolidateOne(cluster, candidate);
    if (!("why" in found)) return [found.command];
  }
  return [];
}

/** Karpenter's order of pools is random; here by name. */
function inTurn(candidates: readonly Candidate[]): Candidate[] {
  const pools = [...Map.groupBy(candidates, ({ pool }) => pool.name)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const longest = Math.max(0, ...pools.map(([, own]) => own.length));
  return Array.from({ length: longest }, (_, at) => pools.flatMap(([, own]) => own[at] ?? [])).flat();
}

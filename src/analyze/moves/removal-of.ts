/** What Karpenter would do with one node that nothing holds: delete or replace it, or why not. */
import { NODE_POOL } from "../../model/requirements/label-keys.ts";
import { BALANCED_THRESHOLD, type Score, scoresOf } from "../../karpenter/consolidation/balanced.ts";
import type { Candidate, Command, RunningCluster } from "../../karpenter/consolidation/cluster.ts";
import { type NotConsolidated, savingsOf } from "../../karpenter/consolidation/consolidate.ts";
import { consolidateOne, replaceDrifted } from "../../karpenter/consolidation/methods.ts";
import type { FailedPod } from "../../karpenter/consolidation/remove-nodes.ts";
import type { SolverPod } from "../../karpenter/solver/world.ts";
import { counted, someOf } from "../../krm/values/counted.ts";
import { moneyWords } from "../../model/values/money.ts";
import { CHEAPER_SPOT_TYPES } from "../../model/settings/karpenter-options.ts";
import { describeClaim, type DescribedClaim } from "../plan/describe-claim.ts";
import { commandsOf, type Method } from "./next-command.ts";
import type { Disruption } from "./running-cluster.ts";

export interface RemovalOf {
  readonly outcome: "delete" | "replace" | "terminate-first" | "stays" | "unknown";
  /** For programs: a command, or why the node stays. */
  readonly code: Command["decision"] | NotConsolidated["why"] | "score" | "uninitialized";
  /** A sentence without its end. */
  readonly message: string;
  /** What would let it go; undefined if it goes, or if nothing does. */
  readonly change: string | undefined;
  /** The object that has to change: `Pod shop/db-0`; undefined for the node. */
  readonly about: string | undefined;
  /** The other nodes that go with it. */
  readonly together: readonly string[];
  /** The nodes that would be launched. */
  readonly replacements: readonly DescribedClaim[];
  /** Where its pods find room, by node; pods are `namespace/name`. */
  readonly moves: readonly { readonly node: string; readonly pods: readonly string[] }[];
  /** An hour, of the node and of what replaces it; null if it is not known. */
  readonly before: number | null;
  readonly after: number | null;
  /** Of the policy Balanced. */
  readonly scores: readonly Score[];
}

const NOTHING = { replacements: [], moves: [], scores: [], together: [] };

/** Consolidation of this node alone, by `computeConsolidation`. Blockers of the node are not looked at. */
export function removalOf(disruption: Disruption, candidate: Candidate): RemovalOf {
  const { cluster } = disruption;
  const before = priceOf(cluster, candidate);
  const found = consolidateOne(cluster, candidate);
  if ("scores" in found && !found.scores.every(({ pool }) => isPriced(pool, cluster)))
    return { ...NOTHING, ...UNKNOWN_SCORE, outcome: "unknown", code: "price-unknown", before, after: null };
  if (!("why" in found)) return ofCommand(found.command, disruption, before, found.scores);
  if (found.why === "score") {
    const words = scoreWords(found.scores, found.command);
    const { replacements, moves, after } = ofCommand(found.command, disruption, before, []);
    const { scores } = found;
    return { ...NOTHING, ...words, outcome: "stays", code: "score", replacements, moves, before, after, scores };
  }
  const outcome = found.why === "price-unknown" ? "unknown" : "stays";
  const claims = found.why === "several-nodes" ? found.claims : [];
  const words = whyNot(found, candidate, disruption);
  return {
    ...NOTHING,
    code: found.why,
    ...words,
    outcome,
    replacements: claims.map((claim) => describeClaim(claim, cluster.catalogue)),
    before,
    after: null,
  };
}

/** Replacement of this node because it is drifted. */
export function driftRemovalOf(disruption: Disruption, candidate: Candidate): RemovalOf {
  const { cluster } = disruption;
  const before = priceOf(cluster, candidate);
  const found = replaceDrifted(cluster, candidate);
  if (found === "no-pools") return { ...NOTHING, ...NO_POOLS, outcome: "stays", code: found, before, after: null };
  if ("decision" in found) return ofCommand(found, disruption, before, []);
  const words = podWords(found.failed, disruption);
  return { ...NOTHING, code: "pods", ...words, outcome: "stays", before, after: null };
}

/** Replacement of this node of a static pool because it is drifted. Blockers of the node are not looked at. */
export function staticRemovalOf(disruption: Disruption, candidate: Candidate): RemovalOf {
  const decision = commandWith(candidate, "static-drift", disruption)?.decision ?? "replace";
  const message = `NodePool ${candidate.pool.name} is static, and another node of it takes its place`;
  const words = { message, change: undefined, about: undefined };
  const before = priceOf(disruption.cluster, candidate);
  return { ...NOTHING, ...words, outcome: decision, code: decision, before, after: null };
}

/** What the method would do next, if that concerns the node. */
function commandWith({ node }: Candidate, method: Method, disruption: Disruption): Command | undefined {
  const commands = commandsOf(method, disruption);
  if (commands === "no-pools") return undefined;
  return commands.find(({ candidates }) => candidates.some((other) => other.node === node));
}

/** Consolidation of several nodes at once, if this one is among those that Karpenter takes now. */
export function removalWithOthers(disruption: Disruption, candidate: Candidate): RemovalOf | undefined {
  const found = commandWith(candidate, "multi-node", disruption);
  if (found === undefined) return undefined;
  const prices = found.candidates.map((one) => priceOf(disruption.cluster, one));
  const before = prices.includes(null) ? null : prices.reduce<number>((sum, one) => sum + one!, 0);
  const others = found.candidates.flatMap((one) => (one.node === candidate.node ? [] : [one.node.name]));
  return ofCommand(found, disruption, before, scoresOf(found, savingsOf(disruption.cluster, found)), others);
}

/** Whether the prices of all nodes of a pool are known: its score is a part of them. */
function isPriced(pool: string, { nodes, unpriced }: RunningCluster): boolean {
  return nodes.every(
    ({ labels }) => labels[NODE_POOL] !== pool || !unpriced.has(labels["karpenter.sh/capacity-type"] ?? ""),
  );
}

function priceOf({ unpriced }: RunningCluster, { price, capacityType }: Candidate): number | null {
  return price === 0 || unpriced.has(capacityType) ? null : price;
}

function ofCommand(
  command: Command,
  { cluster }: Disruption,
  before: number | null,
  scores: readonly Score[],
  together: readonly string[] = [],
): RemovalOf {
  const { decision, existing } = command;
  const replacements = command.replacements.map(({ claim }) => describeClaim(claim, cluster.catalogue));
  const own = new Set(
    command.candidates.flatMap(({ node: { pods } }) => pods.flatMap(({ moves }) => moves ?? [])).map(nameOf),
  );
  const moves = [...existing].flatMap(([node, all]) => {
    // Karpenter places pending pods in the same round.
    const pods = all.map(nameOf).filter((name) => own.has(name));
    return pods.length === 0 ? [] : [{ node, pods }];
  });
  const prices = replacements.map(({ price }) => price?.hourly);
  const after = prices.includes(undefined) ? null : prices.reduce<number>((sum, one) => sum + one!, 0);
  const shared = { code: decision, outcome: decision, replacements, moves, before, after, scores, together };
  return { ...shared, change: undefined, about: undefined, message: commandWords(command, shared) };
}

function nameOf({ shape, name }: SolverPod): string {
  return `${shape.namespace}/${name}`;
}

function commandWords(
  { candidates, decision }: Command,
  {
    replacements,
    moves,
    before,
    after,
    together,
  }: Pick<RemovalOf, "replacements" | "moves" | "before" | "after" | "together">,
): string {
  const pods = candidates.reduce((sum, one) => sum + one.pods, 0);
  const whose = together.length === 0 ? "its" : `it goes with ${someOf(together, 3)}, and their`;
  const own =
    pods === 0
      ? "no pod has to move"
      : `${whose} ${counted(pods, "pod")} ${pods === 1 ? "has" : "have"} room on ${someOf(
          moves.map(({ node }) => node),
          3,
        )}`;
  if (decision === "terminate-first")
    return "it goes before it is replaced, since it uses the last instance of its capacity reservation";
  const [first] = replacements;
  if (first === undefined) return own;
  const [cheapest = "?"] = first.instanceTypes;
  const currency = first.price?.currency ?? "USD";
  const money =
    before === null || after === null
      ? ""
      : `, and ${replacements.length === 1 ? "costs" : "cost"} ${moneyWords(after, currency)} an hour instead of ${moneyWords(before, currency)}`;
  const one =
    replacements.length === 1 ? `one node of NodePool ${first.nodePool}` : counted(replacements.length, "node");
  const others = first.instanceTypes.length - 1;
  const types = others === 0 ? cheapest : `${cheapest} or ${counted(others, "other type")}`;
  return `${whose} ${counted(pods, "pod")} ${pods === 1 ? "needs" : "need"} ${one}, which may be ${types}${money}`;
}

interface Words extends Pick<RemovalOf, "message" | "change" | "about"> {
  /** Unless it is that of the outcome. */
  readonly code?: "uninitialized";
}

const PRICES = "name a catalogue with the prices of Spot: anp catalogue build";

const UNKNOWN_SCORE: Words = {
  message:
    "its score in the policy Balanced is not known: the catalogue has no prices of a capacity type that its pool has",
  change: PRICES,
  about: undefined,
};

const NO_POOLS: Words = {
  message: "no NodePool may get nodes, and Karpenter decides nothing",
  change: "make a NodePool Ready",
  about: undefined,
};

function whyNot(found: NotConsolidated, candidate: Candidate, disruption: Disruption): Words {
  const { catalogue } = disruption.cluster;
  const own = catalogue.names[candidate.type ?? -1] ?? "its type";
  switch (found.why) {
    case "no-pools":
      return NO_POOLS;
    case "pods":
      return podWords(found.failed, disruption);
    case "several-nodes":
      return {
        message: `its pods would need ${counted(found.claims.length, "new node")}, and Karpenter replaces a node with one at most`,
        change: undefined,
        about: undefined,
      };
    case "spot-to-spot-off":
      return {
        message: "its pods need a new Spot node, and Karpenter does not replace Spot with Spot",
        change: "turn on the feature gate SpotToSpotConsolidation",
        about: "Deployment karpenter",
      };
    case "few-cheaper-types":
      return {
        message: `only ${counted(found.cheaper, "Spot type is", "Spot types are")} cheaper than ${own} and would do, and Spot to Spot needs ${String(CHEAPER_SPOT_TYPES)}`,
        change: "allow more instance types in the NodePool",
        about: `NodePool ${candidate.pool.name}`,
      };
    case "not-cheaper":
      return cheaperWords(found.cheapest, candidate, disruption);
    case "min-values":
      return {
        message: `the cheaper types that would do do not reach minValues of ${[...found.shortfall.keys()].join(", ")}`,
        change: "lower minValues in the NodePool, or allow more instance types",
        about: `NodePool ${candidate.pool.name}`,
      };
    case "price-unknown":
      return {
        message: "it is not known whether a replacement is cheaper: the catalogue has no prices of its capacity type",
        change: PRICES,
        about: undefined,
      };
  }
}

function cheaperWords(cheapest: number | undefined, { type }: Candidate, { cluster }: Disruption): Words {
  const more = { change: undefined, about: undefined };
  const name = cluster.catalogue.names[cheapest ?? -1];
  if (cheapest !== undefined && cheapest === type)
    return { message: `its pods need a node of ${name!} again, its own type`, ...more };
  const which = name === undefined ? "" : `: the cheapest is ${name}`;
  return { message: `its pods need a new node, and no type that would do is cheaper${which}`, ...more };
}

function podWords(failed: readonly FailedPod[], { withoutNode }: Disruption): Words {
  const [first] = failed;
  if (first === undefined) return { message: "its pods have no place", change: undefined, about: undefined };
  const { pod, why } = first;
  const name = nameOf(pod);
  const others = failed.length === 1 ? "" : `, and neither do ${counted(failed.length - 1, "other pod")}`;
  const reason =
    "uninitialized" in why
      ? `would have to go to ${why.uninitialized}, which is not initialized yet`
      : `fits on no other node, and no new node takes it: ${withoutNode(why).why}`;
  const code = "uninitialized" in why ? { code: "uninitialized" as const } : {};
  return { ...code, message: `its pod ${name} ${reason}${others}`, change: undefined, about: `Pod ${name}` };
}

function scoreWords(scores: readonly Score[], { candidates }: Command): Words {
  const lowest = scores.find(({ approved }) => !approved)!;
  const percent = (part: number): string => `${(part * 100).toFixed(1)}%`;
  const own = candidates.find(({ pool }) => pool.name === lowest.pool);
  return {
    message: `its score in the policy Balanced of NodePool ${lowest.pool} is ${lowest.score.toFixed(2)}, and ${String(BALANCED_THRESHOLD)} is needed: it saves ${percent(lowest.savings)} of what the pool costs, and moves ${percent(lowest.disruption)} of what it would cost to move all`,
    change:
      own === undefined ? undefined : `set consolidationPolicy: WhenEmptyOrUnderutilized in NodePool ${lowest.pool}`,
    about: `NodePool ${lowest.pool}`,
  };
}

/** Plans the nodes that Karpenter would launch for pods, all of them together. */
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { sumOf } from "../../karpenter/scheduling/resources.ts";
import type { Unplaced } from "../../karpenter/solver/world.ts";
import { withoutValues } from "../../krm/values/placeholders.ts";
import { HOURS_A_MONTH } from "../../model/values/money.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { describeOrigin } from "../explain/describe-explanation.ts";
import { attemptsAlone, type PoolAttempt } from "../pods/pool-attempts.ts";
import { amountsOf, boundsOf, describeClaim, podOf, priceOf, rounded } from "./describe-claim.ts";
import { limitsLeft } from "./limits-left.ts";
import { notConsidered, zonesMissing } from "./not-considered.ts";
import type { PlanAnswer } from "./plan-answer.ts";
import { rangeOverTies } from "./tie-range.ts";
import { addKnown, sumsOf } from "./plan-sums.ts";
import { attemptsOf, planRound } from "./plan-round.ts";
import { savingsOf } from "./savings.ts";
import { type PlanInput, type PlanWorld, planWorld } from "./plan-world.ts";

/**
 * The plan, or why there is none.
 *
 * @param before the cluster with the pools of the old side, if there is one
 */
export function planPods(
  input: PlanInput,
  cluster: ExplainedCluster,
  mode: InputMode,
  before?: ExplainedCluster,
): PlanAnswer | { readonly problem: string } {
  const worlds = [cluster, ...(before === undefined ? [] : [before])].map((one) => planWorld(input, one));
  const problem = worlds.map((one) => zonesMissing(one)).find((one) => one !== undefined);
  if (problem !== undefined) return { problem };
  const [planned, old] = worlds as [PlanWorld, PlanWorld?];
  const answer = planOf(planned, cluster, mode);
  const both = old === undefined ? answer : { ...answer, before: sideOf(planOf(old, before!, mode), answer) };
  const whole = input.withSavings === true ? { ...both, savings: savingsOf(input, cluster) } : both;
  const filled = [cluster, before].flatMap((one) =>
    (one?.pools ?? []).flatMap(({ wrapper }) => [...(wrapper.filled ?? [])]),
  );
  return withoutValues(whole, new Map(filled), isOfAnp);
}

/** Names, counts and amounts of pods and nodes: no value that an option gives for a placeholder. */
function isOfAnp(key: string, part: unknown): boolean {
  return typeof part === "number" || KEPT.has(key);
}

const OF_PLANS = "mode catalogue prices price atMost worst currency pods lost gained nodePool node name namespace";
const OF_AMOUNTS = "requests share used planned left resource limitedBy";
const KEPT: ReadonlySet<string> = new Set(`${OF_PLANS} ${OF_AMOUNTS}`.split(" "));

function sideOf(
  { nodeClaims, existing, unplaced, limits, summary }: PlanAnswer,
  now: PlanAnswer,
): PlanAnswer["before"] {
  const others = (some: readonly Pod[], these: readonly Pod[]): Pod[] => {
    const known = new Set(these.map(({ namespace, name }) => `${namespace}/${name}`));
    return some.flatMap(({ namespace, name }) => (known.has(`${namespace}/${name}`) ? [] : [{ namespace, name }]));
  };
  const [lost, gained] = [others(now.unplaced, unplaced), others(unplaced, now.unplaced)];
  return { nodeClaims, existing, unplaced, limits, summary, lost, gained };
}

type Pod = NonNullable<PlanAnswer["before"]>["lost"][number];

function planOf(planned: PlanWorld, cluster: ExplainedCluster, mode: InputMode): PlanAnswer {
  const { world, ignored } = planned;
  const solved = planRound(planned);
  const { catalogue, prices } = { catalogue: world.filter.catalogue, prices: cluster.knownTypes.prices };
  const claims = solved.claims.map((claim) => describeClaim(claim, catalogue));
  const withoutNode = unplacedPods(planned, cluster);
  const unplaced = [
    ...ignored.map(({ pod, why }) => ({ ...podOf(pod), why: `Karpenter ignores it: ${why}`, attempts: [] })),
    ...solved.unplaced.map(withoutNode),
  ];
  const pods = world.pods.length + ignored.length;
  const sums = sumsOf(world, solved);
  const bounds = solved.claims.map((claim) => ({ price: priceOf(claim), ...boundsOf(claim) }));
  const atMost = bounds.map(({ price, atMost: most }) => (most ?? price)?.hourly).reduce(addKnown, 0);
  const worst = bounds.map((one) => one.worst?.hourly).reduce(addKnown, 0);
  return {
    schemaVersion: 1,
    mode,
    catalogue: { source: catalogue.source, date: catalogue.date },
    nodeClaims: claims,
    existing: [...solved.existing].flatMap(([node, own]) => (own.length === 0 ? [] : [{ node, pods: own.map(podOf) }])),
    unplaced,
    limits: limitsLeft(claims, planned),
    summary: {
      pods,
      ...sums,
      monthly: sums.hourly === null ? null : rounded(sums.hourly * HOURS_A_MONTH),
      ...(sums.hourly === null && atMost !== undefined ? { atMost: perTime(atMost) } : {}),
      worst: worst === undefined ? null : perTime(worst),
      currency: prices?.origin.currency ?? null,
      requests: amountsOf(sumOf(solved.claims.map(({ requests }) => requests))),
      range: rangeOverTies(planned, solved, sums, (one) => sumsOf(world, one)),
    },
    before: null,
    savings: null,
    prices: prices === undefined ? null : describeOrigin(prices.origin),
    notConsidered: notConsidered(planned, solved, cluster),
  };
}

function perTime(hourly: number): { readonly hourly: number; readonly monthly: number } {
  return { hourly: rounded(hourly), monthly: rounded(hourly * HOURS_A_MONTH) };
}

type WithoutNode = PlanAnswer["unplaced"][number];

/** Says of a pod without a node what each pool answered. */
export function unplacedPods(planned: PlanWorld, { knownTypes }: ExplainedCluster): (one: Unplaced) => WithoutNode {
  const aloneOf = memoizeByObject((demand: PodDemand) =>
    attemptsAlone(demand, planned.targets, planned.relaxing, knownTypes),
  );
  return (one) => unplacedPod(one, planned, aloneOf);
}

function unplacedPod(one: Unplaced, planned: PlanWorld, aloneOf: (demand: PodDemand) => PoolAttempt[]): WithoutNode {
  const { pod } = one;
  const fate = { taken: new Map<string, number>(), unplaced: one, pods: 1 };
  const attempts = attemptsOf(aloneOf(pod.demand), fate, planned).map(({ pool, sentence }) => ({
    nodePool: pool,
    why: sentence,
  }));
  const reasons = new Set(attempts.map(({ why }) => why));
  const why = attempts.length === 0 ? "there is no pool" : reasons.size === 1 ? attempts[0]!.why : "no pool takes it";
  return { ...podOf(pod), why, attempts };
}

/** Compares a plan with the outcomes of Karpenter, up to pods that are alike. */
import { PRICE_DIGITS } from "../../../src/model/values/money.ts";
import type { KarpentersOutcome, Outcome, PlannedClaim, Range } from "./ask-karpenter.ts";
import { bufferPodsOf, kindOfPod, pendingPods, type World } from "./world.ts";

/** Undefined if the plan is one of Karpenter's outcomes; or else what differs from the nearest of them. */
export function differenceOf(world: World, ours: Outcome, theirs: readonly KarpentersOutcome[]): string | undefined {
  const difference = differenceBetween(ours, theirs, kindOfPod(world));
  return typeof difference === "string" ? difference : unknownPods(world, ours, theirs[difference]!);
}

/**
 * What differs from the nearest outcome of Karpenter, or the index of the one that is the same.
 *
 * @param kindOf of a pod, `namespace/name`: those of one kind are alike
 */
export function differenceBetween(
  ours: Outcome,
  theirs: readonly Outcome[],
  kindOf: (pod: string) => string,
): string | number {
  const own = linesOf(ours, kindOf);
  // Karpenter's scheduler is not told that the API server refuses a NodeClaim of its own.
  const refused = new Set(
    Object.entries(ours.errors).flatMap(([pod, why]) => (why.includes(REFUSED) ? [kindOf(pod)] : [])),
  );
  const all = theirs.map(({ nodeClaims, ...outcome }) => {
    const made = nodeClaims.filter(({ pods }) => !pods.every((pod) => refused.has(kindOf(pod))));
    return linesOf({ ...outcome, nodeClaims: made }, kindOf);
  });
  const differences = all.map((lines) => [...without(own, lines), ...without(lines, own)].length);
  const least = Math.min(...differences);
  const nearest = differences.indexOf(least);
  if (least === 0) return nearest;
  const lines = all[nearest]!;
  const rest = theirs.length === 1 ? "" : `\nnearest of ${theirs.length} outcomes of Karpenter`;
  const changed = [
    ...without(own, lines).map((line) => `anp:       ${line}`),
    ...without(lines, own).map((line) => `Karpenter: ${line}`),
  ];
  return `${changed.join("\n")}${rest}${whyNot(ours, theirs[nearest]!)}`;
}

/** The outcome of Karpenter that the range of a plan does not have, as text. */
export function beyondRange({ range, errors }: Outcome, theirs: readonly Outcome[]): string | undefined {
  // Which NodeClaims of another outcome the API server refuses, its pods do not say.
  if (range === undefined || Object.values(errors).some((why) => why.includes(REFUSED))) return undefined;
  const { nodes, placed, hourly } = range;
  const has = (one: number, { least, most }: Range["nodes"]): boolean =>
    one > least - PRICE_ERROR && one < most + PRICE_ERROR;
  const beyond = theirs.find(
    ({ nodeClaims, existing, errors: without }) =>
      !has(nodeClaims.length, nodes) ||
      !has(placedPods({ nodeClaims, existing, errors: without }).length, placed) ||
      (hourly !== null && !has(sumOf(nodeClaims), hourly)),
  );
  if (beyond === undefined) return undefined;
  const their = `${beyond.nodeClaims.length} nodes, ${placedPods(beyond).length} pods, ${sumOf(beyond.nodeClaims)}`;
  return `Karpenter: ${their} an hour; anp: ${JSON.stringify(range)}`;
}

/** Sums of rounded prices differ. */
const PRICE_ERROR = 1e-4;

function sumOf(claims: readonly PlannedClaim[]): number {
  return claims.reduce((sum, { price }) => sum + price, 0);
}

const REFUSED = "the API server refuses the NodeClaim";

/** What is decided, as sorted lines of text. */
function linesOf({ nodeClaims, existing }: Outcome, kindOf: (pod: string) => string): string[] {
  return [
    ...nodeClaims.map((claim) => lineOfClaim(claim, kindOf)),
    ...existing.filter(({ pods }) => pods.length > 0).map(({ node, pods }) => `node ${node}: ${kindsOf(pods, kindOf)}`),
  ].toSorted();
}

function lineOfClaim(claim: PlannedClaim, kindOf: (pod: string) => string): string {
  const { nodePool, pods, instanceTypes, zones, capacityTypes, price } = claim;
  const types = `${instanceTypes.length} types ${instanceTypes.toSorted().join(" ")}`;
  return `${nodePool}: ${kindsOf(pods, kindOf)}; ${zones.toSorted().join(" ")}; ${capacityTypes.toSorted().join(" ")}; ${rounded(price)}; ${types}`;
}

/** To the digits that a plan has. */
function rounded(price: number): string {
  return Number(price.toFixed(PRICE_DIGITS)).toFixed(5);
}

/** `2 apps/web, 1 jobs/batch` */
function kindsOf(pods: readonly string[], kindOf: (pod: string) => string): string {
  const kinds = Map.groupBy(pods, kindOf);
  return [...kinds]
    .map(([kind, { length }]) => `${length} ${kind}`)
    .toSorted()
    .join(", ");
}

/** The lines of the first that are not in the second, each as often as it is there. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const place = left.indexOf(line);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

/** Each pod that wants a node has one or is listed without one, and so is each that Karpenter has no place for. */
function unknownPods(world: World, ours: Outcome, theirs: Outcome): string | undefined {
  const named = new Set([...placedPods(ours), ...Object.keys(ours.errors)]);
  const ofWorkloads = pendingPods(world).map(({ metadata }) => {
    const { namespace, name } = metadata as { namespace: string; name: string };
    return `${namespace}/${name}`;
  });
  const pending = [...ofWorkloads, ...bufferPodsOf(world)];
  const missing = [...pending, ...Object.keys(theirs.errors)].filter((pod) => !named.has(pod));
  if (missing.length > 0) return `neither placed nor listed without a node: ${[...new Set(missing)].join(", ")}`;
  const asked = new Set([...pending, ...placedPods(theirs), ...Object.keys(theirs.errors)]);
  const invented = [...named].filter((pod) => !asked.has(pod));
  return invented.length === 0 ? undefined : `Karpenter does not look at ${invented.join(", ")}`;
}

function placedPods({ nodeClaims, existing }: Outcome): string[] {
  return [...nodeClaims, ...existing].flatMap(({ pods }) => pods);
}

/** What each side says of pods without a node. */
function whyNot(ours: Outcome, theirs: Outcome): string {
  const lines = (side: string, { errors }: Outcome, other: Outcome): string[] =>
    Object.entries(errors)
      .filter(([pod]) => !(pod in other.errors))
      .slice(0, 4)
      .map(([pod, why]) => `${side} on ${pod}: ${why.slice(0, 400)}`);
  const all = [...lines("anp", ours, theirs), ...lines("Karpenter", theirs, ours)];
  return all.length === 0 ? "" : `\n${all.join("\n")}`;
}

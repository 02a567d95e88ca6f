/** Pods as blocks: the pool that takes each, its types, why others do not, unchecked needs. */
import { OBSTACLES } from "../../analyze/pods/attempt.ts";
import type { AskedPods, PlacedPod } from "../../analyze/plan/place-pods.ts";
import type { PoolAttempt } from "../../analyze/pods/pool-attempts.ts";
import { and } from "../../analyze/explain/amounts.ts";
import { counted } from "../../krm/values/counted.ts";
import { placeText } from "../../krm/places/location.ts";
import { moneyWords } from "../../model/values/money.ts";
import type { Block, Fact, Span, Verdict } from "../blocks/blocks.ts";
import { typesOrFamilies } from "./type-families.ts";

/** Empty if no pods were asked for or found. */
export function podBlocks({ pods, waiting }: AskedPods): Block[] {
  if (pods.length === 0) return waiting ? [{ kind: "paragraph", words: "no pod waits for a node" }] : [];
  const several = new Set(pods.map(({ hostedCluster }) => hostedCluster)).size > 1;
  return [...pods.flatMap((pod) => [...describePod(pod, several), { kind: "gap" } as const]), summary(pods)];
}

/** At most this many pools are shown for a pod, and the rest counted. */
const POOLS_SHOWN = 10;
const FAMILIES_SHOWN = 6;

function describePod(pod: PlacedPod, several: boolean): Block[] {
  const { kind, namespace, name, hostedCluster, attempts, instanceTypes, notConsidered, price, why } = pod;
  const alike = pod.pods < 2 ? "" : ` (${counted(pod.pods, "pod")})`;
  const count = instanceTypes.length;
  const types = [`${counted(count, "instance type")}:`, ...typesOrFamilies(instanceTypes, FAMILIES_SHOWN)];
  const shown = shownAttempts(pod);
  const rest = attempts.length - shown.length;
  const facts: Fact[] = [
    ...shown.map((attempt): Fact => [nameOf(attempt, pod), attempt.sentence]),
    [
      "price a pod",
      price === undefined ? "" : `${moneyWords(price.hourly, price)} an hour, its share of the node (${price.basis})`,
    ],
    ["not looked at", notConsidered],
  ];
  const more = `and ${counted(rest, "more pool")} (-o json lists all)`;
  return [
    {
      kind: "heading",
      hostedCluster: several && hostedCluster !== null ? hostedCluster : undefined,
      name: namespace === null ? name : `${namespace}/${name}`,
      about: kind + alike,
      verdict: verdictOf(pod),
      place: placeText(pod),
      oneLine: true,
    },
    ...(count === 0 ? [] : [{ kind: "list", inline: true, items: types, indent: 2 } as const]),
    ...(attempts.length === 0 ? [{ kind: "paragraph", words: why ?? "", indent: 2 } as const] : []),
    { kind: "facts", facts, indent: 2 },
    ...(rest === 0 ? [] : [{ kind: "paragraph", words: more, tone: "faint", indent: 2 } as const]),
  ];
}

function verdictOf({ takenBy, placed, pods, why, attempts, notConsidered }: PlacedPod): Verdict {
  const isSure = notConsidered.length === 0;
  const may = isSure ? "" : "may ";
  const takes = placed.map(({ pool, pods: own, nodes }) => {
    const verb = isSure ? "takes" : `${may}take`;
    return `${pool} ${pods === 1 ? `${verb} it` : `${verb} ${own === pods ? "all" : own}, on ${counted(nodes, "node")}`}`;
  });
  if (takenBy !== null && isSure) return { words: and(takes), tone: "good" };
  if (takenBy !== null) return { words: and(takes), tone: "info", more: notLookedAt(notConsidered) };
  const count = placed.reduce((sum, one) => sum + one.pods, 0);
  const words = count === 0 ? "gets no node" : `${count} of ${counted(pods, "pod")} ${may}get a node`;
  const verdict = { words, tone: "error" } as const;
  return attempts.length === 0 ? verdict : { ...verdict, more: why ?? "" };
}

/** What is missing for a verdict, without the reasons. */
function notLookedAt(notConsidered: readonly string[]): string {
  return `${and(notConsidered.map((text) => text.split(": ", 1)[0]!))} not looked at`;
}

/** In the order of attempts; if there are many, only those that take the pod or came closest. */
function shownAttempts({ attempts, takenBy }: PlacedPod): readonly PoolAttempt[] {
  if (attempts.length <= POOLS_SHOWN) return attempts;
  const rank = ({ pool, fits, reason }: PoolAttempt): number => {
    if (pool === takenBy) return Infinity;
    if (fits || reason === "machine-image" || reason === null) return OBSTACLES.length;
    return OBSTACLES.indexOf(reason);
  };
  return attempts.toSorted((a, b) => rank(b) - rank(a)).slice(0, POOLS_SHOWN);
}

function nameOf({ pool, fits }: PoolAttempt, { takenBy }: PlacedPod): Span {
  return { text: pool, tone: pool === takenBy ? "good" : fits ? "info" : "faint" };
}

function summary(pods: readonly PlacedPod[]): Block {
  const all = (some: readonly PlacedPod[]): number => some.reduce((total, one) => total + one.pods, 0);
  const onNodes = (some: readonly PlacedPod[]): number =>
    some.reduce((total, { placed }) => total + placed.reduce((sum, one) => sum + one.pods, 0), 0);
  const total = all(pods);
  const taken = onNodes(pods.filter(({ notConsidered }) => notConsidered.length === 0));
  const perhaps = onNodes(pods) - taken;
  const none = total - taken - perhaps;
  const counts: Span[] = [
    { text: `${String(none)} without a node`, tone: "error" },
    { text: `${String(perhaps)} perhaps taken`, tone: "info" },
    { text: `${String(taken)} taken`, tone: "good" },
  ];
  const shown = counts.filter(({ text }) => !text.startsWith("0 "));
  const words = shown.flatMap((span, index) => (index === 0 ? [span] : [", ", span]));
  return { kind: "paragraph", words: [`${counted(total, "pod")}: `, ...words] };
}

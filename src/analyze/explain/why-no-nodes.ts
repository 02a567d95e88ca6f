/** One line on why a pool gets no nodes, for statuses, events and the dashboard. */
import type { DescribedDemand, DescribedPool } from "./pool-answer.ts";
import type { PoolExplanation } from "./explanation.ts";
import { isNone } from "../../karpenter/catalogue/type-mask.ts";

type Asked = Pick<DescribedDemand, "key" | "from" | "requirement">;

interface Obstructed extends Pick<DescribedPool, "minValuesMissed" | "noNodes" | "nodeClass"> {
  readonly conflict: readonly Asked[];
}

export function whyNoNodes({ conflict, minValuesMissed, noNodes, nodeClass }: Obstructed): string {
  const missed = minValuesMissed.map((one) => `it ${missedWords(one)}`);
  const shown = conflict.slice(0, SHOWN).map((one) => `${one.key} ${one.requirement} (${sourceOf(one, nodeClass)})`);
  const others = conflict.length - shown.length;
  const asked = others > 0 ? [...shown, `${others} ${others === 1 ? "other" : "others"}`] : shown;
  const all = asked.join(" and ");
  const summary = missed.length > 0 ? `too few are left by ${all}` : `no instance type satisfies ${all}`;
  const together = asked.length === 0 ? [] : [summary];
  return [...noNodes, ...missed, ...together].join("; ");
}

/** Limited, because messages of statuses and events must be short. */
const SHOWN = 5;

function sourceOf({ from, key }: Asked, nodeClass: string): string {
  if (from !== "class") return SOURCES[from];
  return `${key === "kubernetes.io/arch" ? "images of " : ""}node class ${nodeClass}`;
}

const SOURCES = { policy: "policy", user: "pool", label: "label" } as const;

export interface MissedMinimum {
  readonly key: string;
  readonly wanted: number;
  readonly found: number;
}

/**
 * The wanted and the remaining number of values by key. Empty if no instance type is left, because minValues is not the
 * cause then.
 */
export function minValuesMissed({
  requirements,
  remaining: { shortfall, types },
}: Pick<PoolExplanation, "requirements" | "remaining">): MissedMinimum[] {
  if (isNone(types)) return [];
  const effective = new Map(requirements.map((key) => [key.key, key.effective]));
  return [...shortfall].map(([key, found]) => ({ key, wanted: effective.get(key)?.minValues ?? 0, found }));
}

/** `asks for at least 10 instance families (minValues of …), and 7 are left`. */
export function missedWords({ key, wanted, found }: MissedMinimum): string {
  const noun = NOUNS[key] ?? (["value", "values"] as const);
  const what = `${String(wanted)} ${noun[wanted === 1 ? 0 : 1]}`;
  const left = found === 0 ? "none is" : found === 1 ? "1 is" : `${String(found)} are`;
  return `asks for at least ${what} (minValues of ${key}), and ${left} left`;
}

/** Nouns for the values of a label. */
const NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  "node.kubernetes.io/instance-type": ["instance type", "instance types"],
  "karpenter.k8s.aws/instance-family": ["instance family", "instance families"],
  "karpenter.k8s.aws/instance-category": ["instance category", "instance categories"],
  "karpenter.k8s.aws/instance-generation": ["instance generation", "instance generations"],
  "karpenter.k8s.aws/instance-size": ["instance size", "instance sizes"],
  "karpenter.k8s.aws/instance-cpu": ["number of vCPUs", "numbers of vCPUs"],
  "karpenter.sh/capacity-type": ["capacity type", "capacity types"],
  "kubernetes.io/arch": ["architecture", "architectures"],
  "topology.kubernetes.io/zone": ["zone", "zones"],
};

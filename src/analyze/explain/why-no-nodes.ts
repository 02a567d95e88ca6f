/** One line on why a pool gets no nodes, for statuses, events and the dashboard. */
import type { DescribedDemand, DescribedPool } from "./pool-answer.ts";
import { missedWords } from "./min-values-words.ts";

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

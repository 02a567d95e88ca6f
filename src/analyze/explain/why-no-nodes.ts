/** What keeps a pool from getting nodes, in a line for statuses, events and the dashboard. */
import type { DescribedPool } from "./describe-explanation.ts";
import type { DescribedDemand } from "./describe-demand.ts";
import { missedWords } from "./min-values-words.ts";

type Asked = Pick<DescribedDemand, "key" | "from" | "requirement">;

interface Obstructed extends Pick<DescribedPool, "minValuesMissed" | "noNodes" | "nodeClass"> {
  readonly conflict: readonly Asked[];
}

export function whyNoNodes({ conflict, minValuesMissed, noNodes, nodeClass }: Obstructed): string {
  const missed = minValuesMissed.map((one) => `it ${missedWords(one)}`);
  const shown = conflict.slice(0, SHOWN).map((one) => `${one.key} ${one.requirement} (${whose(one, nodeClass)})`);
  const others = conflict.length - shown.length;
  const asked = others > 0 ? [...shown, `${others} ${others === 1 ? "other" : "others"}`] : shown;
  const all = asked.join(" and ");
  const told = missed.length > 0 ? `too few are left by ${all}` : `no instance type satisfies ${all}`;
  const together = asked.length === 0 ? [] : [told];
  return [...noNodes, ...missed, ...together].join("; ");
}

/** A status and an event hold only so much. */
const SHOWN = 5;

function whose({ from, key }: Asked, nodeClass: string): string {
  if (from !== "class") return WHOSE[from];
  return `${key === "kubernetes.io/arch" ? "images of " : ""}node class ${nodeClass}`;
}

const WHOSE = { policy: "policy", user: "pool", label: "label" } as const;

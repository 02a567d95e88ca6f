/** The nodes that have to go, for people: in order, with the reason. */
import type { PoolAnswer } from "../../analyze/simulate/simulate.ts";
import { printable } from "../terminal/printable.ts";
import type { SimulateLook } from "./look.ts";
import { textWidth } from "../terminal/text-width.ts";

type Candidate = PoolAnswer["deprovision"][number];

export function candidateRows(candidates: readonly Candidate[], { style }: SimulateLook): string[] {
  const name = Math.max(...candidates.map((candidate) => textWidth([...printable(candidate.name)])));
  const number = String(candidates.length).length;
  return candidates.map(
    (candidate, index) =>
      `    ${style.faint(String(index + 1).padStart(number))}  ${printable(candidate.name).padEnd(name)}  ${whyNow(candidate)}`,
  );
}

function whyNow({ why, pods, cost, lifetimeLeft }: Candidate): string {
  const price = `${pods} pod${pods === 1 ? "" : "s"}, eviction cost ${round(cost)} × ${round(lifetimeLeft)} of its lifetime left = ${round(cost * lifetimeLeft)}`;
  switch (why) {
    case "not-launched":
      return "has no instance yet";
    case "empty":
      return pods === 0 ? "runs no pods" : "runs DaemonSet pods only";
    case "do-not-disrupt":
      return `has do-not-disrupt pods, so it goes last: ${price}`;
    case "cost":
      return price;
  }
}

function round(number: number): string {
  return String(Math.round(number * 100) / 100);
}

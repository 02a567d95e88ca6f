/** Disruption at a moment for people: a row for each reason and one for each budget. */
import type { DescribedBudget, DescribedSimulation } from "../../analyze/simulate/describe.ts";
import type { DisruptionAnswer } from "../../analyze/simulate/disruption.ts";
import { printable } from "../terminal/printable.ts";
import { dayAndTime } from "./time-text.ts";
import type { SimulateLook } from "./look.ts";
import { textWidth } from "../terminal/text-width.ts";

export function disruptionRows(
  { disruption, next, nodes }: DescribedSimulation,
  { style, width, zone, at }: SimulateLook,
): string[] {
  const following = next[1];
  const expiration = style.faint(`  ${"Expired".padEnd(15)}${"all".padEnd(6)}asks neither budgets nor the limit`);
  const rows = disruption.flatMap((answer, index) => {
    const { reason, allowed } = answer;
    const paint = allowed === 0 ? style.error : allowed === null ? style.good : style.info;
    const then = following?.disruption[index];
    const changes = following !== undefined && then !== undefined && then.allowed !== allowed;
    const change = changes ? `${howMany(then.allowed)} from ${dayAndTime(following.from, zone, at)}` : "";
    const reasoned = why(answer, nodes.going + nodes.notReady);
    const start = `  ${reason.padEnd(15)}${paint(howMany(allowed))}${" ".repeat(Math.max(2, 6 - howMany(allowed).length))}${reasoned}`;
    if (INDENT + reasoned.length + 2 + change.length > width)
      return [start, `${" ".repeat(INDENT)}${style.faint(change)}`];
    return [`${start}${change === "" ? "" : `${reasoned === "" ? "" : "  "}${style.faint(change)}`}`.trimEnd()];
  });
  return disruption.some(({ allowed }) => allowed === 0) ? [...rows, expiration] : rows;
}

/** Where the reasons stand. */
const INDENT = 23;

export function howMany(allowed: number | null): string {
  if (allowed === null) return "all";
  return allowed === 0 ? "none" : String(allowed);
}

function why({ budget, allowed, blockedBy }: DisruptionAnswer, consuming: number): string {
  const spent = consuming > 0 ? `, and ${consuming} ${consuming === 1 ? "is" : "are"} going or not ready` : "";
  if (blockedBy === "schedule-error") return "Karpenter cannot read a schedule";
  if (blockedBy === "nodeLimit") return "blocked by the node limit";
  if (blockedBy === "budget")
    return budget !== null && budget > 0 ? `the budgets let ${budget} go${spent}` : "blocked by a budget";
  if (budget === null) return allowed === null ? "no budget holds any back" : "by the node limit";
  if (allowed === null || allowed === budget) return "";
  return allowed < budget - consuming
    ? `the budgets let ${budget} go, the node limit ${allowed}`
    : `the budgets let ${budget} go${spent}`;
}

/** In columns; how it stands and where goes to a line of its own where the terminal is too narrow. */
export function budgetRows(budgets: readonly DescribedBudget[], { style, width, zone, at }: SimulateLook): string[] {
  if (budgets.length === 0) return [`    ${style.warning("none")}: the empty list holds nothing back`];
  const cells = budgets.map((budget) => {
    const { nodes, reasons, schedule, duration, place } = budget;
    return {
      nodes: printable(nodes),
      reasons: reasons === undefined ? "every reason" : reasons.length === 0 ? "no reason" : reasons.join(" "),
      times: schedule === undefined ? "" : printable(`${schedule}  ${duration ?? ""}`.trimEnd()),
      state: stateText(budget, (moment) => dayAndTime(moment, zone, at)),
      place: place === undefined ? "Karpenter's default" : printable(place),
      paint: budget.state === "unreadable" ? style.error : (text: string) => text,
    };
  });
  const widest = (of: (cell: (typeof cells)[number]) => string): number =>
    Math.max(...cells.map((cell) => textWidth([...of(cell)])));
  const widths = [
    widest(({ nodes }) => nodes),
    widest(({ reasons }) => reasons),
    widest(({ times }) => times),
    widest(({ state }) => state),
  ];
  const [one = 0, two = 0, three = 0, four = 0] = widths;
  const roomy = 4 + one + two + three + four + widest(({ place }) => place) + 8 <= width;
  return cells.flatMap(({ nodes, reasons, times, state, place, paint }) => {
    const row = [nodes.padStart(one), reasons.padEnd(two), ...(three === 0 ? [] : [times.padEnd(three)])].join("  ");
    if (roomy) return [`    ${row}  ${paint(state.padEnd(four))}  ${style.faint(place)}`];
    return [`    ${row.trimEnd()}`, `${" ".repeat(6 + one)}${paint(state)}  ${style.faint(place)}`];
  });
}

function stateText({ state, until, schedule }: DescribedBudget, moment: (at: number) => string): string {
  switch (state) {
    case "always":
      return schedule === undefined ? "always" : "active for a year and more";
    case "active":
      return `active until ${moment(until!)}`;
    case "inactive":
      return `not before ${moment(until!)}`;
    case "never":
      return "never active within a year";
    case "unreadable":
      return "Karpenter cannot read it";
  }
}

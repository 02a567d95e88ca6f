/** Disruption at a moment for people: a row for each reason and one for each budget. */
import type { DescribedBudget, DescribedSimulation } from "../../analyze/simulate/describe.ts";
import type { DisruptionAnswer } from "../../analyze/simulate/timeline.ts";
import { printable } from "../terminal/printable.ts";
import { type Column, layOutTable } from "../terminal/table.ts";
import { padTo, widestOf } from "../terminal/text-width.ts";
import { LABEL, labelled, type SimulateLook } from "./look.ts";
import { dayAndTime } from "./time-text.ts";

export function disruptionRows(
  { disruption, next, nodes }: DescribedSimulation,
  { style, width, zone, at }: SimulateLook,
): string[] {
  const following = next[1];
  const expiration = style.faint(`${labelled("Expired")}${padTo("all", ALLOWED)}ignores budgets and the limit`);
  const rows = disruption.flatMap((answer, index) => {
    const { reason, allowed } = answer;
    const paint = allowed === 0 ? style.error : allowed === null ? style.good : style.info;
    const then = following?.disruption[index];
    const changes = following !== undefined && then !== undefined && then.allowed !== allowed;
    const change = changes ? `${howMany(then.allowed)} from ${dayAndTime(following.from, zone, at)}` : "";
    const reasoned = why(answer, nodes.going + nodes.notReady);
    const start = `${labelled(reason)}${padTo(howMany(allowed), ALLOWED - 2, { paint })}  ${reasoned}`;
    if (INDENT + reasoned.length + 2 + change.length > width) return [start, " ".repeat(INDENT) + style.faint(change)];
    return [`${start}${change === "" ? "" : `${reasoned === "" ? "" : "  "}${style.faint(change)}`}`.trimEnd()];
  });
  return disruption.some(({ allowed }) => allowed === 0) ? [...rows, expiration] : rows;
}

const ALLOWED = 6;
/** The column where reasons begin. */
const INDENT = LABEL + ALLOWED;

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
  if (budget === null) return allowed === null ? "no budget limits them" : "by the node limit";
  if (allowed === null || allowed === budget) return "";
  return allowed < budget - consuming
    ? `the budgets let ${budget} go, the node limit ${allowed}`
    : `the budgets let ${budget} go${spent}`;
}

/** In columns; on a narrow terminal, state and place are on a line of their own. */
export function budgetRows(budgets: readonly DescribedBudget[], { style, width, zone, at }: SimulateLook): string[] {
  if (budgets.length === 0) return [`    ${style.warning("none")}: the empty list limits nothing`];
  const asked: Column<DescribedBudget>[] = [
    { cell: ({ nodes }) => nodes, right: true },
    { cell: reasonsText },
    ...(budgets.some(({ schedule }) => schedule !== undefined) ? [{ cell: timesText }] : []),
  ];
  const found: Column<DescribedBudget>[] = [
    {
      cell: (budget) => stateText(budget, (moment) => dayAndTime(moment, zone, at)),
      tone: (budget) => (budget.state === "unreadable" ? "error" : undefined),
    },
    { cell: ({ place }) => place ?? "Karpenter's default", tone: () => "faint" },
  ];
  const roomy = layOutTable([...asked, ...found], budgets, style, { indent: 4 });
  if (roomy.width <= width) return budgets.map(roomy.line);
  const first = layOutTable(asked, budgets, style, { indent: 4 });
  const indent = 4 + widestOf(budgets.map(({ nodes }) => printable(nodes))) + 2;
  return budgets.flatMap((budget) => [
    first.line(budget),
    layOutTable(found, [budget], style, { indent }).line(budget),
  ]);
}

export function reasonsText({ reasons }: DescribedBudget): string {
  if (reasons === undefined) return "every reason";
  return reasons.length === 0 ? "no reason" : reasons.join(" ");
}

export function timesText({ schedule, duration }: DescribedBudget): string {
  return schedule === undefined ? "" : `${schedule}  ${duration ?? ""}`.trimEnd();
}

export function stateText({ state, until, schedule }: DescribedBudget, moment: (at: number) => string): string {
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

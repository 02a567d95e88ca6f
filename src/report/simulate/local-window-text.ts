/** Budgets for a window in local time as YAML to paste into a pool. */
import type { UtcBudget } from "../../analyze/simulate/local-window.ts";
import { DEFAULT_BUDGET_NODES } from "../../model/pools/disruption-reasons.ts";
import { MONTHS } from "./time-text.ts";

/** @param words the window and what holds in it; @param free when the budgets do not block */
export function localWindowText(words: string, free: string, budgets: readonly UtcBudget[]): string {
  const offsetsIn = (month: number) =>
    budgets.filter(({ months }) => months.includes(month)).map(({ offset }) => offset);
  const shared = MONTHS.filter((_, index) => new Set(offsetsIn(index + 1)).size > 1);
  const isUtc = budgets.every(({ offset }) => offset === 0);
  const lines = [
    `# ${words}. Karpenter reads schedules in UTC.`,
    ...(shared.length === 0 ? [] : [`# Clocks change in ${shared.join(" and ")}: both windows hold in these months.`]),
    "disruption:",
    "  budgets:",
    `    # ${free}: Karpenter's default.`,
    `    - nodes: ${DEFAULT_BUDGET_NODES}`,
    ...budgets.flatMap(({ schedule, duration, offset }) => [
      ...(isUtc ? [] : [`    # While clocks show ${offsetText(offset)}.`]),
      '    - nodes: "0"',
      `      schedule: ${schedule}`,
      `      duration: ${duration}`,
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

function offsetText(offset: number): string {
  const size = Math.abs(offset);
  const minutes = String(size % 60).padStart(2, "0");
  return `UTC${offset < 0 ? "-" : "+"}${Math.floor(size / 60)}${minutes === "00" ? "" : `:${minutes}`}`;
}

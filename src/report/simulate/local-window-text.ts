/** Budgets for a window in local time as YAML to paste into a pool. */
import type { UtcBudget } from "../../analyze/simulate/local-window.ts";
import { DEFAULT_BUDGET_NODES } from "../../model/pools/disruption-reasons.ts";
import type { TimeZone } from "../../analyze/simulate/zone.ts";
import { MONTHS } from "./time-text.ts";

export function localWindowText(window: string, budgets: readonly UtcBudget[], zone: TimeZone): string {
  const shared = MONTHS.filter((_, index) => budgets.filter(({ months }) => months.includes(index + 1)).length > 1);
  const lines = [
    `# ${window} in ${zone.name}: no disruption. Karpenter reads schedules in UTC.`,
    ...(shared.length === 0 ? [] : [`# Clocks change in ${shared.join(" and ")}: both windows hold in these months.`]),
    "disruption:",
    "  budgets:",
    "    # Outside the windows: Karpenter's default.",
    `    - nodes: ${DEFAULT_BUDGET_NODES}`,
    ...budgets.flatMap(({ schedule, duration, offset }) => [
      `    # While clocks show ${offsetText(offset)}.`,
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

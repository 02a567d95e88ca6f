/** Stretches of time for people, a row each, with the disruption that is allowed. */
import type { Stretch } from "../../analyze/simulate/timeline.ts";
import { howMany } from "./budgets-text.ts";
import { type Column, layOutTable } from "../terminal/table.ts";
import type { SimulateLook } from "./look.ts";
import { lengthText, spanText } from "./time-text.ts";

const ROWS_SHOWN = 14;

/** A column for each reason; the length of a stretch only if there is room. */
export function stretchRows(stretches: readonly Stretch[], { style, width, zone }: SimulateLook): string[] {
  const shown = stretches.slice(0, ROWS_SHOWN);
  const columns: Column<Stretch>[] = [
    { cell: ({ from, to }) => spanText(from, to, zone) },
    { cell: ({ from, to }) => lengthText(to - from), tone: () => "faint", right: true, spare: true },
    ...stretches[0]!.disruption.map(({ reason }, index): Column<Stretch> => ({
      head: reason,
      cell: ({ disruption }) => howMany(disruption[index]!.allowed),
      tone: ({ disruption }) => (disruption[index]!.allowed === 0 ? "error" : undefined),
    })),
  ];
  const table = layOutTable(columns, shown, style, { width, indent: 2 });
  const more = stretches.length - shown.length;
  return [
    "",
    table.head,
    ...shown.map(table.line),
    ...(more > 0 ? [style.faint(`  and ${more} more: -o json has them all`)] : []),
  ];
}

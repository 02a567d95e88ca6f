/** Stretches of time for people, a row each with what may be disrupted. */
import type { Stretch } from "../../analyze/simulate/timeline.ts";
import { howMany } from "./budgets-text.ts";
import type { SimulateLook } from "./look.ts";
import { lengthText, spanText } from "./time-text.ts";

const ROWS_SHOWN = 14;

/** A column for each reason; how long a stretch is only where there is room for it. */
export function stretchRows(stretches: readonly Stretch[], { style, width, zone }: SimulateLook): string[] {
  const shown = stretches.slice(0, ROWS_SHOWN);
  const spans = shown.map(({ from, to }) => spanText(from, to, zone));
  const lengths = shown.map(({ from, to }) => lengthText(to - from));
  const reasons = stretches[0]!.disruption.map(({ reason }) => reason);
  const span = Math.max(...spans.map((text) => text.length));
  const length = Math.max(...lengths.map((text) => text.length));
  const withLengths = 2 + span + 2 + length + 2 + reasons.join("  ").length <= width;
  const start = (text: string, long: string): string =>
    `  ${text.padEnd(span)}${withLengths ? style.faint(`  ${long.padStart(length)}`) : ""}`;
  const widths = reasons.map((reason, index) =>
    Math.max(reason.length, ...shown.map(({ disruption }) => howMany(disruption[index]!.allowed).length)),
  );
  const rows = shown.map(({ disruption }, index) => {
    const cells = disruption.map(({ allowed }, column) => {
      const text = howMany(allowed);
      return `${allowed === 0 ? style.error(text) : text}${" ".repeat(widths[column]! - text.length)}`;
    });
    return `${start(spans[index]!, lengths[index]!)}  ${cells.join("  ")}`.trimEnd();
  });
  const more = stretches.length - shown.length;
  return [
    "",
    `${start("", "")}  ${reasons.map((reason, index) => reason.padEnd(widths[index]!)).join("  ")}`.trimEnd(),
    ...rows,
    ...(more > 0 ? [style.faint(`  and ${more} more: -o json has them all`)] : []),
  ];
}

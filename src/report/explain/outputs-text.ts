/** Live NodePools beside their wrappers, for people: origin, and differences from the render. */
import type { DescribedOutput } from "../../analyze/check/explain-answer.ts";
import { printable } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { wrapText } from "../terminal/wrap.ts";

/** The lines below those of the pool itself. */
export function outputLines(output: DescribedOutput, style: Style, width: number): string[] {
  const { madeBy, name, differences, policy } = output;
  const wrapper = `OpenshiftNodePool ${printable(name)}`;
  const made = `  made by        ${madeBy === "anp" ? "anp" : "HyperShift's operator"}, of ${wrapper}`;
  if (differences === null) return [made, `  rendered now   nothing of this name`];
  if (differences.length === 0) return [made, `  rendered now   the same`];
  const unsure = policy === null ? " (no policy was read, so its additions are listed)" : "";
  const head = wrapText(`differs from what ${wrapper} renders to now${unsure}:`, width, 2).map(style.warning);
  const rows = differences.flatMap(({ field, here, rendered }) =>
    wrapText(`${printable(field)}: ${inAWord(here)} here, ${inAWord(rendered)} rendered`, width, 4),
  );
  return [made, ...head, ...rows];
}

const LONGEST = 80;

function inAWord(value: unknown): string {
  if (value === null) return "nothing";
  const text = isPlain(value)
    ? String(value)
    : Array.isArray(value) && value.every(isPlain)
      ? `[${value.join(" ")}]`
      : jsonOf(value);
  return printable(text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
}

function isPlain(value: unknown): value is string | number | bigint {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint";
}

/** Writes numbers of any size. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part)) ?? "";
}

/** Facts by name in, plain lines with the values in one column out. */
import { printable, withoutCommands } from "../terminal/printable.ts";

export type Fact = readonly [name: string, value: string | readonly string[]];

/** A fact with several values has a line for each, a fact without a value none. */
export function factsText(facts: readonly Fact[]): string {
  const width = Math.max(...facts.map(([name]) => name.length)) + 2;
  const text = facts
    .flatMap(([name, value]) =>
      [value].flat().map((line, index) => `${(index === 0 ? name : "").padEnd(width)}${printable(line)}\n`),
    )
    .join("");
  return withoutCommands(text);
}

/** Plain lines with the names of facts, and their values in one column. */
import { printable, withoutCommands } from "../terminal/printable.ts";
import { padTo, widestOf } from "../terminal/text-width.ts";
import { hanging } from "../terminal/wrap.ts";

export type Fact = readonly [name: string, value: string | readonly string[]];

/** A fact has a line for each of its values, and none without values. */
export function factsText(facts: readonly Fact[]): string {
  const width = widestOf(facts.map(([name]) => name)) + 2;
  const lines = facts.flatMap(([name, value]) => hanging([value].flat().map(printable), padTo(name, width), width));
  return withoutCommands(lines.map((line) => `${line}\n`).join(""));
}

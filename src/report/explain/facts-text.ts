/** Facts by name in, plain lines with the values in one column out. */
import { printable, withoutCommands } from "../terminal/printable.ts";
import { padTo, widestOf } from "../terminal/text-width.ts";
import { hanging } from "../terminal/wrap.ts";

export type Fact = readonly [name: string, value: string | readonly string[]];

/** A fact with several values has a line for each, a fact without a value none. */
export function factsText(facts: readonly Fact[]): string {
  const width = widestOf(facts.map(([name]) => name)) + 2;
  const lines = facts.flatMap(([name, value]) => hanging([value].flat().map(printable), padTo(name, width), width));
  return withoutCommands(lines.map((line) => `${line}\n`).join(""));
}

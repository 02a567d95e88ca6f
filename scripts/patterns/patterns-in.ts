/** Finds the regular expressions of a TypeScript text: literals, and calls of `RegExp`. */
import { type CallExpression, type NewExpression, parseSync, Visitor } from "oxc-parser";
import type { Pattern } from "./pattern.ts";

/** A call of `RegExp`: the lines of the call. */
export interface MakingPlace {
  readonly file: string;
  readonly line: number;
  readonly lastLine: number;
}

export function patternsIn(file: string, text: string): { patterns: Pattern[]; places: MakingPlace[] } {
  const patterns: Pattern[] = [];
  const places: MakingPlace[] = [];
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
  const call = ({ callee, start, end }: CallExpression | NewExpression): void => {
    if (callee.type === "Identifier" && callee.name === "RegExp")
      places.push({ file, line: lineOf(start), lastLine: lineOf(end) });
  };
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  new Visitor({
    Literal: (node) => {
      if ("regex" in node && node.regex !== null)
        patterns.push({ file, line: lineOf(node.start), source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: call,
    CallExpression: call,
  }).visit(program);
  return { patterns, places };
}

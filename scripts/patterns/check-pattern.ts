/** Checks that a pattern takes linear time on every text, or returns the problem. */
import { check } from "recheck";
import { linearForm } from "./linear-form.ts";
import type { Pattern } from "./pattern.ts";

/** Milliseconds; a good pattern takes a few. */
const PATIENCE = 120_000;

/** Undefined if there is no problem. Uses the automaton alone: the results of fuzzing depend on the machine. */
export async function checkPattern({ source, flags }: Pattern, patience = PATIENCE): Promise<string | undefined> {
  const verdict = await check(linearForm(source), flags, {
    checker: "automaton",
    timeout: patience,
    recallLimit: 0,
    accelerationMode: "off",
  });
  if (verdict.status === "safe") return undefined;
  if (verdict.status === "vulnerable") return `takes ${verdict.complexity.summary} time on ${verdict.attack.pattern}`;
  return `cannot be judged (${verdict.error.kind}): write it more simply`;
}

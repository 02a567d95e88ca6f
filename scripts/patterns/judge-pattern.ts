/** Whether a pattern takes time in proportion to the text, whatever the text: a pattern in, what is wrong with it out. */
import { check } from "recheck";
import { linearForm } from "./linear-form.ts";
import type { Pattern } from "./pattern.ts";

/** Milliseconds; what is in order takes a few. */
const PATIENCE = 120_000;

/** Undefined when it is in order. The automaton alone: fuzzing finds other things on another machine. */
export async function judgePattern({ source, flags }: Pattern, patience = PATIENCE): Promise<string | undefined> {
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

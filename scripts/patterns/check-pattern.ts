/** Checks that a pattern takes linear time on every text, or returns the problem. */
import { check } from "recheck";
import type { Pattern } from "./all-patterns.ts";

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

/** Letters for an assertion that holds, and for one that was tried in vain; no input has them. */
const HOLDS = "\u{e000}";
const LOOKED = "\u{e001}";

const LOOKAROUNDS = ["(?=", "(?!", "(?<=", "(?<!"];

/**
 * The pattern without assertions and large counts, which an automaton can check. The cost of an assertion is kept,
 * because its body is still matched there. Whether it holds is left open: then the engine has to try all alternatives.
 * A count only multiplies the time, but would make the automaton too large to check.
 */
function linearForm(source: string): string {
  let form = "";
  /** For each open group, the text that closes it. */
  const closing: string[] = [];
  for (let at = 0; at < source.length;) {
    const token = tokenAt(source, at);
    at += token.length;
    if (token === "\\b" || token === "\\B") form += `${HOLDS}?`;
    else if (LOOKAROUNDS.includes(token)) {
      form += "(?:(?:";
      closing.push(`)${LOOKED}|${HOLDS})`);
    } else if (token.startsWith("(")) {
      form += "(?:";
      closing.push(")");
    } else if (token === ")") form += closing.pop() ?? ")";
    else form += /^\{\d/.test(token) ? smallCount(token) : token;
  }
  return form;
}

/** The start of a group, a class, an escape, a count, or one character. */
const TOKEN =
  /\((?:\?(?:<?[=!]|:|<[^>]*>))?|\[(?:[^\]\\]|\\[^])*\]|\\(?:[pPu]\{[^}]*\}|k<[^>]*>|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])|\{\d+(?:,\d*)?\}|[^]/y;

function tokenAt(source: string, at: number): string {
  TOKEN.lastIndex = at;
  return TOKEN.exec(source)![0];
}

function smallCount(count: string): string {
  const [least = "", most] = count.slice(1, -1).split(",");
  const low = Math.min(Number(least), 2);
  if (most === undefined) return `{${low}}`;
  return most === "" ? `{${low},}` : `{${low},${Math.max(low, Math.min(Number(most), 3))}}`;
}

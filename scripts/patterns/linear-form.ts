/** A pattern as an automaton can judge it: assertions become letters, and large counts small ones. */

/** Stand for an assertion that holds, and for one that was looked at in vain; no input has them. */
const HOLDS = "\u{e000}";
const LOOKED = "\u{e001}";

const LOOKAROUNDS = ["(?=", "(?!", "(?<=", "(?<!"];

/**
 * What an assertion costs is kept, since its body is still matched there. Whether it holds is left open: then the
 * engine has to try all ways round it. A count is a factor and no power, but makes automata that nobody can judge.
 */
export function linearForm(source: string): string {
  let form = "";
  /** For each open group, what closes it. */
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

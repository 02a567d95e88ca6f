/** `anp help CODE`: what a finding means and what to do, without a network. */
import { codeEntry, FINDING_CODES } from "../krm/findings/finding-codes.ts";
import { nearestWord } from "../krm/values/nearest-word.ts";
import type { Context } from "./cli/context.ts";
import { UsageError } from "./cli/exit-codes.ts";
import { findingHelp, isFindingCode } from "./cli/report.ts";

/**
 * Explains a finding if the word is its code.
 *
 * @returns whether it was a code
 * @throws UsageError for an unknown word that looks like a code
 */
export function explainFinding(word: string, context: Context): boolean {
  // Codes are in brackets at the end of a finding.
  const code = word.replace(/^\[(.*)\]$/s, "$1");
  if (isFindingCode(code)) {
    context.writeOut(`${code}: ${codeEntry(code).says}\n\n${findingHelp(context)(code)}`);
    return true;
  }
  if (!word.includes("-")) return false;
  const nearest = nearestWord(code, Object.keys(FINDING_CODES), 3);
  throw new UsageError(
    `there is no command and no finding ${code}: ${nearest === undefined ? "anp help lists the commands" : `did you mean ${nearest}?`}`,
  );
}

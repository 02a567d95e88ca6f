/** The section of docs/findings.md about a finding code, for terminals and for SARIF. */
import { FINDING_CODES, type FindingCode } from "../../krm/findings/finding-codes.ts";
import { memoize } from "../../model/schema/memoize.ts";
import type { Context } from "./context.ts";

export function isFindingCode(word: string): word is FindingCode {
  return Object.hasOwn(FINDING_CODES, word);
}

/** Reads some 120 kB when the first section is needed. */
export function findingHelp({ files }: Pick<Context, "files">): (code: FindingCode) => string {
  const texts = memoize(() => JSON.parse(files.readShipped("findings.json")) as Record<FindingCode, string>);
  return (code) => texts()[code];
}

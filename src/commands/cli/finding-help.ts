/** What the page of findings says of one, for terminals and for SARIF. */
import { FINDING_CODES, type FindingCode } from "../../krm/finding-codes.ts";
import { once } from "../../model/once.ts";
import type { Context } from "./context.ts";

export function isFindingCode(word: string): word is FindingCode {
  return Object.hasOwn(FINDING_CODES, word);
}

/** Read when the first is asked for: some 120 kB. */
export function findingHelp({ files }: Pick<Context, "files">): (code: FindingCode) => string {
  const texts = once(() => JSON.parse(files.readShipped("findings.json")) as Record<FindingCode, string>);
  return (code) => texts()[code];
}

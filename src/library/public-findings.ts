/** Converts findings to the public type of the library. */
import type { Finding as Found } from "../krm/finding.ts";
import { jsonReport } from "../report/findings/json.ts";
import type { Finding } from "./types.ts";

/** The same fields and order as `-o json` of the commands. */
export function publicFindings(findings: readonly Found[]): readonly Finding[] {
  return (JSON.parse(jsonReport(findings)) as { findings: Finding[] }).findings;
}

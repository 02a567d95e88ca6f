/** Findings as users of the library get them. */
import type { Finding as Found } from "../krm/finding.ts";
import { jsonReport } from "../report/findings/json.ts";
import type { Finding } from "./library.ts";

/** What `-o json` of the commands prints, in its order. */
export function publicFindings(findings: readonly Found[]): readonly Finding[] {
  return (JSON.parse(jsonReport(findings)) as { findings: Finding[] }).findings;
}

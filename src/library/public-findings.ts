/** Findings to what users of the library get of them: what `-o json` of the commands prints, in its order. */
import type { Finding as Found } from "../krm/finding.ts";
import { jsonReport } from "../report/findings/json.ts";
import type { Finding } from "./library.ts";

export function publicFindings(findings: readonly Found[]): readonly Finding[] {
  return (JSON.parse(jsonReport(findings)) as { findings: Finding[] }).findings;
}

/** The severities that a RenderConfig chooses for findings (docs/design.md#severities). */
import type { Finding } from "../krm/finding.ts";
import { codeEntry } from "../krm/finding-codes.ts";
import type { RenderConfigSpec } from "../model/render-config.ts";

/**
 * The findings under `rules`; codes that are fixed stay as they are, whatever a rule says, and so does an error of a code
 * that is none by itself: what an API server refuses is not there.
 */
export function applyRules(findings: readonly Finding[], rules: RenderConfigSpec["rules"]): Finding[] {
  if (rules === undefined) return [...findings];
  return findings.flatMap((finding) => {
    const level = rules[finding.code];
    const { fixed, severity } = codeEntry(finding.code);
    if (level === undefined || fixed || (finding.severity === "error" && severity !== "error")) return [finding];
    return level === "off" ? [] : [{ ...finding, severity: level }];
  });
}

/** Applies the severities that a RenderConfig sets for findings (docs/design.md#severities). */
import type { Finding } from "../krm/findings/finding.ts";
import { codeEntry } from "../krm/findings/finding-codes.ts";
import type { RenderConfigSpec } from "../model/settings/render-config.ts";

/**
 * The findings after `rules`. Fixed codes are never changed. Neither is an error of a code with a lower default
 * severity: the API server refuses that object.
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

/** The severities that a RenderConfig chooses for findings (docs/design.md#severities). */
import type { Finding } from "../krm/finding.ts";
import { codeEntry } from "../krm/finding-codes.ts";
import type { RenderConfigSpec } from "../model/render-config.ts";

/** The findings under `rules`; codes that are fixed stay as they are, whatever a rule says. */
export function applyRules(findings: readonly Finding[], rules: RenderConfigSpec["rules"]): Finding[] {
  if (rules === undefined) return [...findings];
  return findings.flatMap((finding) => {
    const level = rules[finding.code];
    if (level === undefined || codeEntry(finding.code).fixed) return [finding];
    return level === "off" ? [] : [{ ...finding, severity: level }];
  });
}

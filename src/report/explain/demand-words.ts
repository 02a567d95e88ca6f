/** An entry as its author wrote it, and what entries come to, in words. */
import type { DescribedDemand } from "../../analyze/explain/describe-demand.ts";

/** A bound in the author's own operator, whatever Karpenter makes of it; the rest in Karpenter's print form. */
export function demandWords({ requirement, written }: Pick<DescribedDemand, "requirement" | "written">): string {
  if (written === undefined) return requirementWords(requirement);
  const [minValues = ""] = / minValues \d+$/.exec(requirement) ?? [];
  return `${written}${minValues}`;
}

/** What Karpenter prints as `Exists >=16` and `DoesNotExist`. */
export function requirementWords(requirement: string): string {
  if (requirement === "DoesNotExist") return "DoesNotExist: without the label";
  return requirement.replace(/^Exists (?=[<>])/, "");
}

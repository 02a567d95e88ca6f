/** The text of an entry as its author wrote it, and of merged entries; whether two are the same. */
import type { DescribedDemand } from "../../analyze/explain/pool-answer.ts";

/** A bound keeps the author's operator, whatever Karpenter makes of it; the rest has Karpenter's print form. */
export function demandWords({ requirement, written }: Pick<DescribedDemand, "requirement" | "written">): string {
  if (written === undefined) return requirementWords(requirement);
  const [minValues = ""] = / minValues \d+$/.exec(requirement) ?? [];
  return `${written}${minValues}`;
}

/** For texts that Karpenter prints as `Exists >=16` and `DoesNotExist`. */
export function requirementWords(requirement: string): string {
  if (requirement === "DoesNotExist") return "DoesNotExist: without the label";
  return requirement.replace(/^Exists (?=[<>])/, "");
}

/** Whether two demands of an explanation are the same entry. */
export function isSame(a: DescribedDemand, b: DescribedDemand): boolean {
  return (
    a.key === b.key && a.from === b.from && a.file === b.file && a.line === b.line && a.requirement === b.requirement
  );
}

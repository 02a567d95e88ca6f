/** Whether two lists of an explanation speak of the same entry. */
import type { DescribedDemand } from "../../analyze/explain/describe-demand.ts";

export function isSame(a: DescribedDemand, b: DescribedDemand): boolean {
  return (
    a.key === b.key && a.from === b.from && a.file === b.file && a.line === b.line && a.requirement === b.requirement
  );
}

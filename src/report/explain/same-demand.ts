/** Whether two demands of an explanation are the same entry. */
import type { DescribedDemand } from "../../analyze/explain/pool-answer.ts";

export function isSame(a: DescribedDemand, b: DescribedDemand): boolean {
  return (
    a.key === b.key && a.from === b.from && a.file === b.file && a.line === b.line && a.requirement === b.requirement
  );
}

/** Explanations as JSON for programs (docs/explain.md#for-programs). */
import type { DescribedPool } from "../../analyze/explain/describe-explanation.ts";
import type { DescribedCatalogue } from "../../analyze/explain/explain.ts";
import type { PlacedPod } from "../../analyze/pods/place-pods.ts";
import { printableJson } from "../terminal/printable.ts";

/** @param pods what `--pods` asked about; left out where nobody asked */
export function explainJson(
  nodePools: readonly DescribedPool[],
  pods: readonly PlacedPod[],
  catalogue: DescribedCatalogue,
): string {
  const asked = pods.length === 0 ? {} : { pods };
  return printableJson(`${JSON.stringify({ schemaVersion: 1, catalogue, nodePools, ...asked }, undefined, 2)}\n`);
}

/** Explanations as JSON for programs (docs/explain.md#for-programs). */
import type { DescribedPool } from "../../analyze/explain/describe-explanation.ts";
import type { DescribedCatalogue } from "../../analyze/explain/explain.ts";
import type { PlacedPod } from "../../analyze/pods/place-pods.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { printableJson } from "../terminal/printable.ts";

/** What `anp explain` has to say. */
export interface Explained {
  readonly mode: InputMode;
  readonly pools: readonly DescribedPool[];
  /** What `--pods` asked about; JSON leaves it out where nobody asked. */
  readonly pods: readonly PlacedPod[];
}

export function explainJson({ mode, pools: nodePools, pods }: Explained, catalogue: DescribedCatalogue): string {
  const asked = pods.length === 0 ? {} : { pods };
  return printableJson(`${JSON.stringify({ schemaVersion: 1, mode, catalogue, nodePools, ...asked }, undefined, 2)}\n`);
}

/** Explanations as JSON for programs (docs/explain.md#for-programs). */
import type { DescribedOutput } from "../../analyze/check/running-pools.ts";
import type { DescribedPool } from "../../analyze/explain/describe-explanation.ts";
import type { DescribedCatalogue } from "../../analyze/explain/explain.ts";
import type { AskedPods } from "../../analyze/pods/place-pods.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { printableJson } from "../terminal/printable.ts";

/** What `anp explain` has to say. */
export interface Explained {
  readonly mode: InputMode;
  readonly pools: readonly DescribedPool[];
  /** What was made of wrappers, as it runs; JSON leaves them out where there is nothing. */
  readonly outputs: readonly DescribedOutput[];
  /** JSON leaves them out where nothing came of it and nobody asked for those of a cluster. */
  readonly asked: AskedPods;
  /** What nobody could tell of a cluster; undefined of files. */
  readonly notKnown: readonly NotKnown[] | undefined;
}

interface NotKnown {
  readonly kind: string;
  readonly unknown: string;
  readonly reason: string;
}

export function explainJson(
  { mode, pools: nodePools, outputs, asked, notKnown }: Explained,
  { source, date }: DescribedCatalogue,
): string {
  const { pods, waiting } = asked;
  const ofPods = pods.length === 0 && !waiting ? {} : { pods };
  const ofOutputs = outputs.length === 0 ? {} : { outputs };
  const answer = { schemaVersion: 1, mode, catalogue: { source, date }, nodePools, ...ofOutputs, ...ofPods, notKnown };
  return printableJson(`${JSON.stringify(answer, withNumbers, 2)}\n`);
}

/** A field of an output may hold a number too large for JSON's readers. */
function withNumbers(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

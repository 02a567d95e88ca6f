/** Explanations as JSON for programs (docs/explain.md#for-programs). */
import type { DescribedOutput, ExplainAnswer } from "../../analyze/check/explain-answer.ts";
import type { DescribedCatalogue, DescribedPool } from "../../analyze/explain/pool-answer.ts";
import type { AskedPods } from "../../analyze/plan/place-pods.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import { printableJson } from "../terminal/printable.ts";

/** The answer of `anp explain`. */
export interface Explained {
  readonly mode: InputMode;
  readonly pools: readonly DescribedPool[];
  /** Live NodePools rendered from wrappers; left out of the JSON if there are none. */
  readonly outputs: readonly DescribedOutput[];
  /** Left out of the JSON if there are none, unless the pods of a cluster were asked for. */
  readonly asked: AskedPods;
  /** Kinds that could not be read from a cluster; undefined for files. */
  readonly notKnown: ExplainAnswer["notKnown"];
}

export function explainJson(
  { mode, pools: nodePools, outputs, asked, notKnown }: Explained,
  { source, date }: DescribedCatalogue,
): string {
  const { pods, waiting } = asked;
  const ofPods = pods.length === 0 && !waiting ? {} : { pods };
  const ofOutputs = outputs.length === 0 ? {} : { outputs };
  const ofCluster = notKnown === undefined ? {} : { notKnown };
  const answer: ExplainAnswer = {
    schemaVersion: 1,
    mode,
    catalogue: { source, date },
    nodePools,
    ...ofOutputs,
    ...ofPods,
    ...ofCluster,
  };
  return printableJson(`${JSON.stringify(answer, withNumbers, 2)}\n`);
}

/** A field of an output may hold a number that JSON readers cannot represent. */
function withNumbers(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

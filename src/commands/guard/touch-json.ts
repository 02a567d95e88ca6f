/** The answer of `anp guard --touch -o json` (docs/guard.md#touching-for-programs). */
import type { DescribedTouch } from "./touch-answer.ts";
import { describeDiff } from "../../analyze/diff/describe-diff.ts";
import type { Touchable, TouchPlan } from "../../cluster/guard/touch.ts";
import { jsonText } from "../../krm/values/exact-integer.ts";
import { printableJson } from "../../report/terminal/printable.ts";
import type { DiffAnswer } from "../diff/answer.ts";

/** The results so far. */
export interface Fates {
  /** Whether the cluster changes pools as this policy does. */
  inForce: boolean;
  /** Undefined if the cluster could not be read. */
  plan: TouchPlan | undefined;
  answer: DiffAnswer | undefined;
  /** In order, with the message of a refusal. */
  readonly touched: Map<Touchable, string | undefined>;
}

export function touchJson(
  { inForce, plan, answer, touched }: Fates,
  { dryRun, problem }: { readonly dryRun: boolean; readonly problem: string | undefined },
): string {
  const { objects = [], notes = [] } = plan ?? {};
  const described: DescribedTouch = {
    schemaVersion: 1,
    dryRun,
    inForce: plan === undefined ? null : inForce,
    objects: objects.map((object) => {
      const { apiVersion, kind, metadata } = object.before;
      return { resource: { apiVersion, kind, name: metadata.name }, ...stateOf(object, touched) };
    }),
    notes,
    diff: answer === undefined ? null : describeDiff({ mode: "raw", ...answer }),
    problem: problem ?? null,
  };
  return printableJson(`${jsonText(described, 2)}\n`);
}

function stateOf(
  object: Touchable,
  touched: Fates["touched"],
): { readonly state: DescribedTouch["objects"][number]["state"]; readonly why: string | null } {
  const { carries, after } = object;
  if (carries) return { state: "carries", why: null };
  if ("refused" in after) return { state: "refused", why: after.refused };
  if (!touched.has(object)) return { state: "left", why: null };
  const why = touched.get(object) ?? null;
  return { state: why === null ? "touched" : "refused", why };
}

/** The answer of `anp guard --touch -o json` (docs/guard.md#touching-for-programs). */
import { type DescribedDiff, describeDiff } from "../../analyze/diff/describe-diff.ts";
import type { Touchable, TouchPlan } from "../../cluster/guard/touch.ts";
import { jsonText } from "../../krm/exact-integer.ts";
import { printableJson } from "../../report/terminal/printable.ts";
import type { DiffAnswer } from "../diff/answer.ts";

/** As far as it came. */
export interface Fates {
  /** Whether what the cluster makes of pools is this policy's. */
  inForce: boolean;
  /** Undefined where the cluster could not be read. */
  plan: TouchPlan | undefined;
  answer: DiffAnswer | undefined;
  /** In their order, with the words of a refusal. */
  readonly touched: Map<Touchable, string | undefined>;
}

/** `carries`: before anybody touched it. `left`: it does not carry the policy, and was not touched. */
type State = "carries" | "touched" | "refused" | "left";

interface DescribedTouch {
  readonly schemaVersion: 1;
  readonly dryRun: boolean;
  readonly inForce: boolean | null;
  readonly objects: readonly {
    readonly resource: { readonly apiVersion: string; readonly kind: string; readonly name: string };
    readonly state: State;
    readonly why: string | null;
  }[];
  readonly notes: readonly string[];
  readonly diff: DescribedDiff | null;
  readonly problem: string | null;
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

function stateOf(object: Touchable, touched: Fates["touched"]): { readonly state: State; readonly why: string | null } {
  const { carries, after } = object;
  if (carries) return { state: "carries", why: null };
  if ("refused" in after) return { state: "refused", why: after.refused };
  if (!touched.has(object)) return { state: "left", why: null };
  const why = touched.get(object) ?? null;
  return { state: why === null ? "touched" : "refused", why };
}

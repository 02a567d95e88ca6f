/** The whole answer of a diff as plain data: what `-o json` prints and the library returns. */
import { formatGoDuration } from "../../model/go-duration.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { type DescribedOrigin, describeOrigin } from "../explain/describe-prices.ts";
import type { Effect } from "./change-effect.ts";
import type { Change } from "./compare-clusters.ts";
import { type DescribedCost, type DescribedSums, describeCost, describeSums } from "./money/describe-cost.ts";
import type { FleetNodes } from "./money/with-costs.ts";
import { type DescribedPolicyChange, describePolicyChange } from "./policies/describe-policy-change.ts";
import type { PolicyChange } from "./policies/policy-changes.ts";
import { type DiffSummary, summarize } from "./summary.ts";

/** What nobody knows is null (docs/diff.md#for-programs-and-pull-requests). */
export interface DescribedDiff {
  readonly schemaVersion: 1;
  readonly mode: InputMode;
  readonly summary: DescribedSummary;
  readonly policies: readonly DescribedPolicyChange[];
  readonly changes: readonly DescribedChange[];
}

export interface DescribedSummary extends Pick<DiffSummary, "pools" | "others"> {
  readonly types: { readonly gained: number; readonly lost: number } | null;
  readonly nodes: Pick<FleetNodes, "total" | "replaced" | "removed" | "unknown"> | null;
  readonly cost: (DescribedOrigin & DescribedSums) | null;
}

interface DescribedChange {
  readonly resource: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly hostedCluster?: string;
  };
  readonly action: Change["action"];
  readonly effect: Effect;
  readonly forever?: true;
  readonly fields: readonly {
    readonly path: string;
    readonly from: unknown;
    readonly to: unknown;
    readonly ofWrapper?: true;
  }[];
  readonly nodes: {
    readonly total: number | null;
    readonly affected: number | null;
    readonly minDuration: string | null;
  };
  readonly cost: DescribedCost | null;
}

interface Answer {
  readonly mode: InputMode;
  readonly changes: readonly Change[];
  readonly policies: readonly PolicyChange[];
  /** Undefined where nobody counted the nodes. */
  readonly fleet: FleetNodes | undefined;
}

export function describeDiff({ mode, changes, policies, fleet }: Answer): DescribedDiff {
  return {
    schemaVersion: 1,
    mode,
    summary: describeSummary(summarize(changes, fleet)),
    policies: policies.map(describePolicyChange),
    changes: changes.map(describeChange),
  };
}

export function describeSummary({ pools, others, types, fleet }: DiffSummary): DescribedSummary {
  const known = { pools, others, types: types ?? null };
  if (fleet === undefined) return { ...known, nodes: null, cost: null };
  const { total, replaced, removed, unknown, costs } = fleet;
  return {
    ...known,
    nodes: { total, replaced, removed, unknown },
    cost: costs === undefined ? null : { ...describeOrigin(costs.origin), ...describeSums(costs) },
  };
}

function describeChange({
  resource,
  hostedCluster,
  action,
  effect,
  forever,
  fields,
  nodes,
  cost,
}: Change): DescribedChange {
  return {
    resource: { ...resource, ...(hostedCluster === undefined ? {} : { hostedCluster }) },
    action,
    effect,
    ...(forever ? { forever } : {}),
    fields: fields.map(({ path, from, to, ofWrapper }) => ({
      path,
      from: from ?? null,
      to: to ?? null,
      ...(ofWrapper ? { ofWrapper } : {}),
    })),
    nodes: { ...nodes, minDuration: nodes.minDuration === null ? null : formatGoDuration(nodes.minDuration) },
    cost: cost === undefined ? null : describeCost(cost),
  };
}

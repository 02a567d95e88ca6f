/** The whole answer of a diff as plain data: what `-o json` prints and the library returns. */
import { formatGoDuration } from "../../model/go-duration.ts";
import { formatRfc3339 } from "../../model/rfc3339.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { type DescribedOrigin, describeOrigin } from "../explain/describe-prices.ts";
import type { Effect } from "./change-effect.ts";
import type { Change, ChangeSettles } from "./compare-clusters.ts";
import type { GuardedPart } from "./guarded-part.ts";
import type { WayOfPools } from "./keeping-ways.ts";
import { type DescribedCost, type DescribedSums, describeCost, describeSums } from "./money/describe-cost.ts";
import type { FleetNodes } from "./money/with-costs.ts";
import { type DescribedOffer, describeOffer } from "./offers/describe-offer.ts";
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
  readonly nodes:
    | (Pick<FleetNodes, "total" | "replaced" | "removed" | "unknown"> & { readonly minDuration: string | null })
    | null;
  /** Of the change that holds last. */
  readonly settles: (DescribedSettles & Pick<DescribedChange, "resource">) | null;
  readonly cost: (DescribedOrigin & DescribedSums) | null;
  /** How the change can be made so that nodes stay; none where none goes, or nothing helps. */
  readonly keeping: readonly WayOfPools[];
}

/** When a change holds for the nodes that run; moments as RFC 3339 has them. */
interface DescribedSettles {
  readonly until: ChangeSettles["until"];
  readonly earliest: string | null;
  readonly latest: string | null;
  readonly why: string;
  readonly file: string | null;
  readonly line: number | null;
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
  /** Of a NodePool; `catalogue`: so it is with the instance types that the catalogue knows. */
  readonly scope?: Change["scope"];
  /** Of a NodePool: what it may launch; null where nobody here knows the types of its provider. */
  readonly offer?: DescribedOffer | null;
  readonly forever?: true;
  readonly fields: readonly {
    readonly path: string;
    readonly from: unknown;
    readonly to: unknown;
    readonly ofWrapper?: true;
    readonly part?: GuardedPart;
  }[];
  readonly nodes: {
    readonly total: number | null;
    readonly affected: number | null;
    readonly names: readonly string[] | null;
    readonly minDuration: string | null;
  };
  readonly settles: DescribedSettles | null;
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

export function describeSummary(summary: DiffSummary): DescribedSummary {
  const { pools, others, types, fleet, minDuration, settles, keeping } = summary;
  const known = {
    pools,
    others,
    types: types ?? null,
    settles: settles === undefined ? null : { resource: resourceOf(settles), ...describeSettles(settles) },
  };
  if (fleet === undefined) return { ...known, nodes: null, cost: null, keeping };
  const { total, replaced, removed, unknown, costs } = fleet;
  return {
    ...known,
    nodes: { total, replaced, removed, unknown, minDuration: durationOf(minDuration) },
    cost: costs === undefined ? null : { ...describeOrigin(costs.origin), ...describeSums(costs) },
    keeping,
  };
}

function durationOf(nanoseconds: bigint | undefined): string | null {
  return nanoseconds === undefined ? null : formatGoDuration(nanoseconds);
}

function resourceOf({
  resource,
  hostedCluster,
}: Pick<Change, "resource" | "hostedCluster">): DescribedChange["resource"] {
  return { ...resource, ...(hostedCluster === undefined ? {} : { hostedCluster }) };
}

function describeSettles({ until, earliest, latest, why, file, line }: ChangeSettles): DescribedSettles {
  const moment = (at: number | undefined) => (at === undefined ? null : formatRfc3339(at));
  return { until, earliest: moment(earliest), latest: moment(latest), why, file: file ?? null, line: line ?? null };
}

function describeChange(change: Change): DescribedChange {
  const { resource, action, effect, scope, offer, forever, fields, nodes, settles, cost } = change;
  const isPool = resource.kind === "NodePool";
  return {
    resource: resourceOf(change),
    action,
    effect,
    ...(isPool ? { scope, offer: offer === undefined ? null : describeOffer(offer) } : {}),
    ...(forever ? { forever } : {}),
    fields: fields.map(({ path, from, to, ofWrapper, part }) => ({
      path,
      from: from ?? null,
      to: to ?? null,
      ...(ofWrapper ? { ofWrapper } : {}),
      ...(part === undefined ? {} : { part }),
    })),
    nodes: { ...nodes, minDuration: durationOf(nodes.minDuration ?? undefined) },
    settles: settles === undefined ? null : describeSettles(settles),
    cost: cost === undefined ? null : describeCost(cost),
  };
}

/** The answer of a diff as plain data, for `-o json` and the library. */
import type {
  DescribedChange,
  DescribedConvergence,
  DescribedDiff,
  DescribedRollout,
  DescribedSummary,
  DescribedAttribution,
  DescribedOffer,
  DescribedShift,
  DescribedPolicyChange,
  DescribedWitness,
} from "./diff-answer.ts";
import { formatGoDuration } from "../../model/values/go-duration.ts";
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import type { PlanAnswer } from "../plan/plan-answer.ts";
import { describeOrigin } from "../explain/describe-explanation.ts";
import { type ChangeConvergence, fleetConvergence } from "./change-convergence.ts";
import type { Change } from "./compare-clusters.ts";
import { describeSums } from "./money/change-cost.ts";
import type { FleetNodes } from "./money/fleet-nodes.ts";
import type { PolicyChange } from "./policies/policy-changes.ts";
import { nonDisruptiveWays } from "./non-disruptive-ways.ts";
import type { AttributedChange, OfferChange, Shift } from "./offers/compare-offers.ts";
import { type Witness, witnessWrapper } from "./policies/policy-witness.ts";

interface Answer {
  readonly mode: InputMode;
  readonly changes: readonly Change[];
  readonly policies: readonly PolicyChange[];
  /** Undefined if the nodes are unknown. */
  readonly fleet: FleetNodes | undefined;
  /** What changes in each cluster, if several are compared. */
  readonly rollout?: readonly DescribedRollout[];
  /** Files that were passed over and differ between the sides. */
  readonly incomplete?: readonly string[];
  /** Sentences on what made only the old side invalid. */
  readonly refused?: readonly string[];
  /** Sentences on what the API server was not asked. */
  readonly notAsked?: readonly string[];
  /** Of the pods of `--pods`, with the plan of the old side. */
  readonly plan?: PlanAnswer | undefined;
}

export function describeDiff(answer: Answer): DescribedDiff {
  const { mode, changes, policies, fleet, rollout = [], incomplete = [], refused = [], notAsked = [], plan } = answer;
  return {
    schemaVersion: 1,
    mode,
    ...(incomplete.length === 0 ? {} : { incomplete }),
    ...(refused.length === 0 ? {} : { refused }),
    ...(notAsked.length === 0 ? {} : { notAsked }),
    summary: summarize(changes, fleet),
    ...(rollout.length === 0 ? {} : { rollout }),
    ...describePlans(plan),
    policies: policies.map(describePolicyChange),
    changes: changes.map(describeChange),
  };
}

function describePlans(plan: PlanAnswer | undefined): Pick<DescribedDiff, "plan"> {
  if (plan === undefined || plan.before === null) return {};
  const { summary: after, notConsidered } = plan;
  const { summary: before, lost, gained } = plan.before;
  return { plan: { before, after, lost, gained, notConsidered } };
}

/** The totals of all changes, for the headline of a diff. */
export function summarize(changes: readonly Change[], fleet: FleetNodes | undefined): DescribedSummary {
  const pools = changes.filter(({ resource }) => resource.kind === "NodePool").length;
  const settles = fleetConvergence(changes);
  const known = {
    pools,
    others: changes.length - pools,
    types: typesOf(changes),
    settles: settles === undefined ? null : { resource: resourceOf(settles), ...describeConvergence(settles) },
  };
  const keeping = nonDisruptiveWays(changes);
  if (fleet === undefined) return { ...known, nodes: null, cost: null, keeping };
  const { total, replaced, removed, unknown, costs } = fleet;
  const minDuration = durationOf(leastOf(changes, fleet, settles));
  return {
    ...known,
    nodes: { total, replaced, removed, unknown, minDuration },
    cost: costs === undefined ? null : { ...describeOrigin(costs.origin), ...describeSums(costs) },
    keeping,
  };
}

/** Instance types that some changed pool gains or loses, each counted once; null if none are compared. */
function typesOf(changes: readonly Change[]): DescribedSummary["types"] {
  const offers = changes.flatMap(({ action, offer }) => (action === "changed" && offer !== undefined ? [offer] : []));
  if (offers.length === 0) return null;
  const [gained, lost] = (["gained", "lost"] as const).map(
    (way) => new Set(offers.flatMap(({ types }) => types[way].map(({ name }) => name))).size,
  );
  return { gained: gained!, lost: lost! };
}

/**
 * The shortest time to replace and remove all affected nodes, in nanoseconds; undefined if unknown or endless. Pools are
 * replaced in parallel. A node that expires meanwhile needs no budget.
 */
function leastOf(
  changes: readonly Change[],
  fleet: FleetNodes,
  settles: ReturnType<typeof fleetConvergence>,
): bigint | undefined {
  const durations = changes.filter(({ nodes }) => nodes.total !== 0).map(({ nodes }) => nodes.minDuration);
  if (durations.includes(null)) return undefined;
  const byBudgets = durations.reduce<bigint>((longest, one) => (one! > longest ? one! : longest), 0n);
  if (settles?.earliest === undefined) return byBudgets;
  const earliest = BigInt(Math.max(0, Math.round((settles.earliest - fleet.at) * 1e6)));
  return earliest < byBudgets ? earliest : byBudgets;
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

function describeConvergence({ until, earliest, latest, why, file, line }: ChangeConvergence): DescribedConvergence {
  const moment = (at: number | undefined) => (at === undefined ? null : formatRfc3339(at));
  return { until, earliest: moment(earliest), latest: moment(latest), why, file: file ?? null, line: line ?? null };
}

/** Without the places of fields. */
export function describeChange(change: Change): DescribedChange {
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
    settles: settles === undefined ? null : describeConvergence(settles),
    cost,
  };
}

function describeOffer({ types, zones, capacityTypes, knownTypes }: OfferChange): DescribedOffer {
  return {
    catalogue: knownTypes.filter.catalogue.date,
    types: describeShift(types),
    zones: describeShift(zones),
    capacityTypes: describeShift(capacityTypes),
  };
}

function describeShift({ gained, lost }: Shift): DescribedShift {
  return { gained: gained.map(describeAttribution), lost: lost.map(describeAttribution) };
}

function describeAttribution({ name, by }: AttributedChange): DescribedAttribution {
  return {
    name,
    by: by.map(({ from, key, requirement, file, line, gone }) => ({
      from: from ?? null,
      key,
      requirement,
      file: file ?? null,
      line: line ?? null,
      ...(gone ? { gone } : {}),
    })),
  };
}

/** Without its place. */
export function describePolicyChange(change: PolicyChange): DescribedPolicyChange {
  const { hostedCluster, action, relation, scope, catalogueDate, gained, lost, rootVolume, pools } = change;
  return {
    ...(hostedCluster === undefined ? {} : { hostedCluster }),
    action,
    relation,
    scope,
    catalogue: catalogueDate,
    witnesses: { gained: describeWitness(gained), lost: describeWitness(lost) },
    rootVolume:
      rootVolume === undefined
        ? null
        : { relation: rootVolume.relation, from: rootVolume.from ?? null, to: rootVolume.to ?? null },
    pools,
  };
}

function describeWitness(witness: Witness | undefined): DescribedWitness | null {
  if (witness === undefined) return null;
  const { instanceType, label, fewerThan, asked } = witness;
  return {
    instanceType: instanceType ?? null,
    label: label === undefined ? null : { key: label.key, value: label.value ?? null },
    fewerThan: fewerThan ?? null,
    wrapper: witnessWrapper(asked),
  };
}

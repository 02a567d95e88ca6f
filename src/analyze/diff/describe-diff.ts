/** The answer of a diff as plain data, for `-o json` and the library. */
import type { DescribedChange, DescribedConvergence, DescribedDiff, DescribedSummary } from "./diff-answer.ts";
import { formatGoDuration } from "../../model/go-duration.ts";
import { formatRfc3339 } from "../../model/rfc3339.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { describeOrigin } from "../explain/describe-demand.ts";
import type { ChangeConvergence } from "./change-convergence.ts";
import type { Change } from "./compare-clusters.ts";
import { describeCost, describeSums } from "./money/describe-cost.ts";
import type { FleetNodes } from "./money/fleet-nodes.ts";
import { describeOffer } from "./offers/describe-offer.ts";
import { describePolicyChange } from "./policies/describe-policy-change.ts";
import type { PolicyChange } from "./policies/policy-changes.ts";
import { type DiffSummary, summarize } from "./summary.ts";

interface Answer {
  readonly mode: InputMode;
  readonly changes: readonly Change[];
  readonly policies: readonly PolicyChange[];
  /** Undefined if the nodes are unknown. */
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
    settles: settles === undefined ? null : { resource: resourceOf(settles), ...describeConvergence(settles) },
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

function describeConvergence({ until, earliest, latest, why, file, line }: ChangeConvergence): DescribedConvergence {
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
    settles: settles === undefined ? null : describeConvergence(settles),
    cost: cost === undefined ? null : describeCost(cost),
  };
}

/** The pools to simulate, each with its budgets and its node limit. */
import { type Budget, readBudget, type ReadBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { type NodeLimit, type NodeLimitMode, nodeLimitOf } from "../../karpenter/disruption/node-limit.ts";
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import { type Finding, findingAt, type Outcome } from "../../krm/finding.ts";
import type { FindingCode } from "../../krm/finding-codes.ts";
import { describeResource, type Resource } from "../../krm/resource.ts";
import { DEFAULT_BUDGETS } from "../../model/disruption-reasons.ts";
import { livePoolSchema } from "../../model/live-pool.ts";
import { oncePer } from "../../model/once.ts";
import { DEFAULT_PROFILE, type Profile } from "../../model/profile.ts";
import type { RenderConfigSpec } from "../../model/render-config.ts";
import { validate } from "../../model/validate.ts";
import { BUDGETS } from "../../resolve/bound-pool.ts";
import { type Origin, originIn, type Place } from "../../resolve/origin.ts";
import { policyRequired } from "../../resolve/policy.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { applyRules } from "../../resolve/rules.ts";
import { configOf } from "../../resolve/settings.ts";

export interface SimulatedPool {
  readonly name: string;
  readonly hostedCluster: string | undefined;
  readonly resource: Resource;
  readonly profile: Profile;
  /** What holds while the pool says nothing is Karpenter's default. */
  readonly budgets: readonly ReadBudget[];
  /** Where each of the budgets stands; undefined for the default. */
  readonly budgetPlaces: readonly (Place | undefined)[];
  readonly limit: NodeLimit | undefined;
  /** Of a static pool: how many nodes it always has. */
  readonly replicas: number | undefined;
  /** What its status says of how many nodes it has. */
  readonly statusNodes: number | undefined;
  /** Which of its hosted cluster's findings count for what. */
  readonly rules: RenderConfigSpec["rules"];
}

/** What rendering does to what is no part of this answer. */
const OF_RENDERING: ReadonlySet<FindingCode> = new Set([
  "node-label-overridden",
  "expire-after-bounded",
  "grace-period-bounded",
]);

/** By hosted cluster and name; a wrapper that does not render gives its findings and no pool. */
export function wrappedPools(clusters: readonly ResolvedCluster[]): Outcome<SimulatedPool[]> {
  const value: SimulatedPool[] = [];
  const findings: Finding[] = [];
  for (const { bundle, settings, nodePools } of clusters) {
    findings.push(...configOf(bundle).findings);
    if (settings === undefined) continue;
    const { rules } = settings.config;
    const required = policyRequired(bundle, settings);
    findings.push(...applyRules([...bundle.findings, ...required], rules));
    if (required.length > 0) continue;
    for (const { wrapper, ...read } of nodePools) {
      findings.push(...applyRules(read.findings, rules).filter(({ code }) => !OF_RENDERING.has(code)));
      if (read.value === undefined) continue;
      const { spec, boundOrigins } = read.value;
      const { disruption, limits } = spec;
      const mode = disruption?.nodeLimitMode ?? "Hard";
      const { hostedCluster } = bundle;
      const { profile, config } = settings;
      const said = { hostedCluster, profile, disruption, limits, mode, rules, boundOrigins };
      value.push(poolOf(wrapper, { ...said, driftedFloor: config.minDriftedBudget }));
    }
  }
  return { value, findings };
}

const liveSchema = oncePer(livePoolSchema);

/**
 * NodePools of a cluster, or as anp renders them: there the limit is what Karpenter makes of it, which is soft
 * (docs/upstream/karpenter.md#node-limits).
 */
export function plainPools(
  nodePools: readonly Resource[],
  profile: Profile = DEFAULT_PROFILE,
): Outcome<SimulatedPool[]> {
  const value: SimulatedPool[] = [];
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const resource of nodePools) {
    const read = validate(liveSchema(profile), resource, { code: "node-pool-invalid", unknownField: "unknown-field" });
    findings.push(...read.findings);
    if (read.value === undefined) continue;
    if (seen.has(resource.name)) {
      findings.push(givenTwice(resource));
      continue;
    }
    seen.add(resource.name);
    if (valueAt(resource.value, NODE_LIMIT_MODE) !== undefined) findings.push(modeIsNoField(resource));
    const { disruption, limits, replicas } = read.value.spec;
    const said = {
      hostedCluster: undefined,
      profile,
      disruption,
      limits,
      replicas,
      mode: "Soft",
      rules: undefined,
    } as const;
    value.push(poolOf(resource, said));
  }
  return { value, findings };
}

interface Said {
  readonly hostedCluster: string | undefined;
  readonly profile: Profile;
  readonly disruption: { readonly budgets?: readonly Budget[] | undefined } | undefined;
  readonly limits: Readonly<Record<string, string | number>> | undefined;
  readonly replicas?: number | undefined;
  readonly mode: NodeLimitMode;
  readonly driftedFloor?: string | undefined;
  readonly boundOrigins?: readonly Origin[] | undefined;
  readonly rules: SimulatedPool["rules"];
}

function poolOf(resource: Resource, said: Said): SimulatedPool {
  const { hostedCluster, profile, disruption, limits, replicas, mode, driftedFloor, boundOrigins = [], rules } = said;
  const budgets = disruption?.budgets;
  const origins: readonly Origin[] = [{ output: [], input: { resource, path: [] } }, ...boundOrigins];
  return {
    name: resource.name,
    hostedCluster,
    resource,
    profile,
    budgets: (budgets ?? DEFAULT_BUDGETS).map(readBudget),
    budgetPlaces: budgets?.map((_, index) => originIn(origins, [...BUDGETS, index])) ?? [undefined],
    limit: nodeLimitOf(limits, mode, driftedFloor),
    replicas,
    statusNodes: nodesOfStatus(resource),
    rules,
  };
}

/** NodePools count in status.nodes from 1.13 on, before and beside it among the resources. */
function nodesOfStatus({ value }: Resource): number | undefined {
  const count = valueAt(value, ["status", "nodes"]) ?? valueAt(value, ["status", "resources", "nodes"]);
  const number = Number(count ?? Number.NaN);
  return Number.isInteger(number) && number >= 0 ? number : undefined;
}

const NODE_LIMIT_MODE: FieldPath = ["spec", "disruption", "nodeLimitMode"];

/** A field of the wrapper: Karpenter's CRD has none, so an API server drops it without a word. */
function modeIsNoField(resource: Resource): Finding {
  const message = `${describeResource(resource)}: \`spec.disruption.nodeLimitMode\` is no field of Karpenter's NodePool, and an API server drops it: the limit is simulated as Soft, as Karpenter treats it`;
  const hint = "write it in the OpenshiftNodePool, and give that as well";
  return findingAt("unknown-field", resource, NODE_LIMIT_MODE, { message, hint });
}

function givenTwice(resource: Resource): Finding {
  const message = `${describeResource(resource)} is given twice; the first one counts`;
  return findingAt("duplicate-resource", resource, ["metadata", "name"], { message, hint: "give one of them" });
}

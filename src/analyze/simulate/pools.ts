/** The pools to simulate, each with its budgets and its node limit. */
import { isUsersNodePool } from "../../model/inputs/bundle.ts";
import { type Budget, readBudget, type ReadBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { type NodeLimit, type NodeLimitMode, nodeLimitOf } from "../../karpenter/disruption/node-limit.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { type Finding, findingAt, type Outcome } from "../../krm/findings/finding.ts";
import type { FindingCode } from "../../krm/findings/finding-codes.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { DEFAULT_BUDGETS } from "../../model/pools/disruption-reasons.ts";
import { livePoolSchema } from "../../model/pools/node-pool.ts";
import { memoizeByKey } from "../../model/schema/memoize.ts";
import { DEFAULT_PROFILE, type Profile } from "../../model/crds/profile.ts";
import { karpenterOptions, type KarpenterOptions } from "../../model/settings/karpenter-options.ts";
import type { RenderConfigSpec } from "../../model/settings/render-config.ts";
import { validate } from "../../model/schema/validate.ts";
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
  /** Karpenter's default if the pool has none. */
  readonly budgets: readonly ReadBudget[];
  /** The place of each budget; undefined for the default. */
  readonly budgetPlaces: readonly (Place | undefined)[];
  readonly limit: NodeLimit | undefined;
  /** Of a static pool: how many nodes it always has. */
  readonly replicas: number | undefined;
  /** Of its node class. */
  readonly group: unknown;
  readonly karpenter: KarpenterOptions;
  /** Whether drift deletes a node of a static pool at its limit before it has a replacement. */
  readonly terminatesFirst: boolean;
  /** The number of nodes in its status. */
  readonly statusNodes: number | undefined;
  /** The severities of findings in the RenderConfig of its hosted cluster. */
  readonly rules: RenderConfigSpec["rules"];
}

/** Findings of rendering about fields that a simulation does not use. */
const OF_RENDERING: ReadonlySet<FindingCode> = new Set([
  "node-label-overridden",
  "expire-after-bounded",
  "grace-period-bounded",
]);

/** By hosted cluster and name. A wrapper that does not render gives findings and no pool. */
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
      // Of a NodePool that users write, Karpenter alone enforces the limit.
      const mode = isUsersNodePool(wrapper) ? "Soft" : (disruption?.nodeLimitMode ?? "Hard");
      const { hostedCluster } = bundle;
      const { profile, config, karpenter } = settings;
      const { replicas } = read.value;
      const fields = {
        hostedCluster,
        profile,
        karpenter,
        disruption,
        limits,
        replicas,
        mode,
        rules,
        boundOrigins,
      } as const;
      value.push(poolOf(wrapper, { ...fields, driftedFloor: config.minDriftedBudget }));
    }
  }
  return { value, findings };
}

const liveSchema = memoizeByKey(livePoolSchema);

/**
 * NodePools of a cluster, or as anp renders them. Karpenter alone enforces their limit, so it is Soft
 * (docs/upstream/karpenter.md#node-limits).
 *
 * @param clusters by folder, if there are several
 */
export function plainPools(
  nodePools: readonly Resource[],
  profile: Profile = DEFAULT_PROFILE,
  karpenter = karpenterOptions(profile),
  clusters: ReadonlyMap<string, string | undefined> = new Map(),
): Outcome<SimulatedPool[]> {
  const value: SimulatedPool[] = [];
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const resource of nodePools) {
    const read = validate(liveSchema(profile), resource, { code: "node-pool-invalid", unknownField: "unknown-field" });
    findings.push(...read.findings);
    if (read.value === undefined) continue;
    const hostedCluster = clusters.get(resource.folder);
    const id = JSON.stringify([hostedCluster, resource.name]);
    if (seen.has(id)) {
      findings.push(givenTwice(resource));
      continue;
    }
    seen.add(id);
    if (valueAt(resource.value, NODE_LIMIT_MODE) !== undefined) findings.push(modeIsNoField(resource));
    const { disruption, limits, replicas } = read.value.spec;
    const fields = {
      hostedCluster,
      profile,
      karpenter,
      disruption,
      limits,
      replicas,
      mode: "Soft",
      rules: undefined,
    } as const;
    value.push(poolOf(resource, fields));
  }
  return { value, findings };
}

interface PoolFields {
  readonly hostedCluster: string | undefined;
  readonly profile: Profile;
  readonly karpenter: KarpenterOptions;
  readonly disruption: { readonly budgets?: readonly Budget[] | undefined } | undefined;
  readonly limits: Readonly<Record<string, string | number>> | undefined;
  readonly replicas?: number | undefined;
  readonly mode: NodeLimitMode;
  readonly driftedFloor?: string | undefined;
  readonly boundOrigins?: readonly Origin[] | undefined;
  readonly rules: SimulatedPool["rules"];
}

function poolOf(resource: Resource, fields: PoolFields): SimulatedPool {
  const { hostedCluster, profile, karpenter, disruption, limits, replicas, mode, driftedFloor, rules } = fields;
  const { boundOrigins = [] } = fields;
  const budgets = disruption?.budgets;
  const origins: readonly Origin[] = [{ output: [], input: { resource, path: [] } }, ...boundOrigins];
  return {
    name: resource.name,
    hostedCluster,
    resource,
    profile,
    karpenter,
    terminatesFirst: karpenter.gates.has("TerminateFirstDrift"),
    budgets: (budgets ?? DEFAULT_BUDGETS).map(readBudget),
    budgetPlaces: budgets?.map((_, index) => originIn(origins, [...BUDGETS, index])) ?? [undefined],
    limit: nodeLimitOf(limits, mode, driftedFloor),
    replicas,
    group: valueAt(resource.value, ["spec", "template", "spec", "nodeClassRef", "group"]),
    statusNodes: nodesOfStatus(resource),
    rules,
  };
}

/** Karpenter counts in `status.resources.nodes`, and from 1.13 on in `status.nodes` too. */
function nodesOfStatus({ value }: Resource): number | undefined {
  const count = valueAt(value, ["status", "nodes"]) ?? valueAt(value, ["status", "resources", "nodes"]);
  const number = Number(count ?? Number.NaN);
  return Number.isInteger(number) && number >= 0 ? number : undefined;
}

const NODE_LIMIT_MODE: FieldPath = ["spec", "disruption", "nodeLimitMode"];

/** Only the wrapper has the field. An API server drops it without an error, because Karpenter's CRD lacks it. */
function modeIsNoField(resource: Resource): Finding {
  const message = `${describeResource(resource)}: \`spec.disruption.nodeLimitMode\` is not a field of Karpenter's NodePool, and an API server drops it; the limit is simulated as Soft, as Karpenter enforces it`;
  const hint = "set it in the OpenshiftNodePool, and pass that as an input too";
  return findingAt("unknown-field", resource, NODE_LIMIT_MODE, { message, hint });
}

function givenTwice(resource: Resource): Finding {
  const message = `${describeResource(resource)} is given twice; the first one is used`;
  return findingAt("duplicate-resource", resource, ["metadata", "name"], { message, hint: "pass only one of them" });
}

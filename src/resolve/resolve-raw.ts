/** Resolves raw Karpenter objects into one cluster for each provider. */
import { isForPoolsThatAsk } from "../karpenter/provider/aws.ts";
import type { ClassRequirement, Provider } from "../karpenter/provider/provider.ts";
import { providerOf } from "../karpenter/provider/providers.ts";
import type { Finding, Outcome } from "../krm/findings/finding.ts";
import { KARPENTER_AWS_GROUP } from "../krm/findings/known-kinds.ts";
import { valueAt } from "../krm/places/field-path.ts";
import { groupOf, type Resource } from "../krm/places/resource.ts";
import { type Profile, RAW_PROFILE } from "../model/crds/profile.ts";
import { ec2NodeClassSchema } from "../model/ec2/node-class.ts";
import { isUnknownAt } from "../model/objects/placeholders.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import type { RawObjects } from "../model/objects/raw-objects.ts";
import { memoizeByKey } from "../model/schema/memoize.ts";
import { validate } from "../model/schema/validate.ts";
import { karpenterOptions, type KarpenterOptions } from "../model/settings/karpenter-options.ts";
import { settled } from "../model/settings/settings.ts";
import type { ResolvedInputs } from "./inputs.ts";
import { NO_POLICY } from "./policy.ts";
import { type PoolRequirement, rawPoolRequirements } from "./pool-requirements.ts";
import { asV1, readRawPool, type ReadRawPool } from "./read-raw-pool.ts";
import { NO_CLASS, type NodeClassRef } from "./resolve-node-class-ref.ts";
import { NODE_CLASS_GROUP, type ResolvedPool, withMerges } from "./resolve-pool.ts";
import type { ReadNodePool, ResolvedCluster } from "./resolved-cluster.ts";
import { decideRootVolume } from "./root-volume.ts";
import type { Settings } from "./settings.ts";

/** Invalid objects have findings and no pool. @param cluster its name, if there are several */
export function resolveRaw(
  objects: RawObjects,
  profile?: Profile,
  karpenter?: KarpenterOptions,
  cluster?: string,
): Outcome<ResolvedCluster[]> {
  const inputs = rawInputs(profile, karpenter);
  const classes = objects.nodeClasses.map((nodeClass) => readClass(nodeClass, inputs));
  const byId = new Map(classes.map((read) => [idOf(read.resource), read]));
  const pools = objects.nodePools.map((pool) => readPool(pool, inputs, { given: objects.nodeClasses, byId, cluster }));
  const findings = [...classes, ...pools].flatMap((read) => read.findings);
  const providers = Map.groupBy([...classes, ...pools], ({ provider }) => provider);
  const value = [...providers.keys()]
    .toSorted((a, b) => rank(a) - rank(b))
    .map((provider): ResolvedCluster => {
      const isOfIt = (read: { readonly provider: Provider }): boolean => read.provider === provider;
      const own = pools.filter(isOfIt);
      const nodePools = own.map(({ resource }) => resource);
      const nodeClasses = classes.filter(isOfIt).map(({ resource }) => resource);
      return {
        mode: "raw",
        provider,
        bundle: { ...rawBundle({ nodePools, nodeClasses }), hostedCluster: cluster },
        gateOff: false,
        settings: inputs.settings,
        inputs,
        nodeClasses: [],
        // Findings on reading are reported for all providers at once.
        nodePools: own.map(({ resource, value, pool }) => ({ wrapper: resource, value, findings: [], pool })),
        pools: own.flatMap(({ pool }) => pool ?? []),
        findings: [],
      };
    });
  return { value, findings };
}

/** Providers with known instance types come first. */
function rank({ name }: Provider): number {
  return name === "aws" ? 0 : 1;
}

interface ReadClass {
  readonly resource: Resource;
  readonly provider: Provider;
  /** Undefined if invalid. */
  readonly value: Resource | undefined;
  /** Its requirements on nodes; empty if invalid. */
  readonly demands: ClassRequirements;
  readonly findings: readonly Finding[];
}

type ClassRequirements = Pick<ResolvedPool, "reservations" | "needs">;

const NO_DEMANDS: ClassRequirements = { reservations: [], needs: [] };

const schemaOf = memoizeByKey(ec2NodeClassSchema);

function readClass(given: Resource, { settings }: ResolvedInputs): ReadClass {
  const provider = providerOf({ group: groupOf(given.apiVersion) });
  const { value: resource, findings } = asV1(given, []);
  if (resource === undefined) return { resource: given, provider, value: undefined, demands: NO_DEMANDS, findings };
  // anp has no schema for other providers.
  if (provider.name !== "aws")
    return { resource, provider, value: resource, demands: requirementsOfClass(resource, provider), findings };
  const codes = { code: "node-class-invalid", unknownField: "unknown-field" } as const;
  const valid = validate(schemaOf(settings.profile), resource, codes);
  const all = [...findings, ...valid.findings];
  if (valid.value === undefined) return { resource, provider, value: undefined, demands: NO_DEMANDS, findings: all };
  return { resource, provider, value: resource, demands: requirementsOfClass(resource, provider), findings: all };
}

interface ReadPool extends ReadRawPool {
  readonly provider: Provider;
  readonly pool: ReadNodePool["pool"];
}

interface Classes {
  readonly given: readonly Resource[];
  readonly byId: ReadonlyMap<string, ReadClass>;
  readonly cluster: string | undefined;
}

function readPool(given: Resource, inputs: ResolvedInputs, classes: Classes): ReadPool {
  const read = readRawPool(given, inputs.settings.profile, classes.given);
  const { resource, value } = read;
  // Most are of AWS, and the verdict is unknown then.
  const isUnknown = isUnknownAt(resource, NODE_CLASS_GROUP);
  const group = isUnknown ? KARPENTER_AWS_GROUP : valueAt(resource.value, NODE_CLASS_GROUP);
  const provider = providerOf({ group: typeof group === "string" ? group : "" });
  if (value === undefined) return { ...read, provider, pool: undefined };
  const { nodeClassRef = NO_CLASS, requirements = [] } = value.spec.template.spec;
  const { value: nodeClass, demands = NO_DEMANDS } = classes.byId.get(idOfRef(nodeClassRef)) ?? {};
  const pool: ResolvedPool = withMerges({
    ...value,
    mode: "raw",
    name: resource.name,
    hostedCluster: classes.cluster,
    wrapper: resource,
    provider,
    nodeClassRef,
    nodeClass,
    policy: undefined,
    asked: rawPoolRequirements(resource, requirements, value.labels),
    ...demands,
    onBypass: inputs.settings.onBypass,
    findings: [],
  });
  return { ...read, provider, pool };
}

function requirementsOfClass(nodeClass: Resource, provider: Provider): ClassRequirements {
  const demand = ({ path, requirement }: ClassRequirement): PoolRequirement => ({
    from: "class",
    place: { resource: nodeClass, path },
    requirement,
  });
  const all = provider.classRequirements(nodeClass.value);
  return {
    reservations: all.filter(isForPoolsThatAsk).map(demand),
    needs: all.filter((one) => !isForPoolsThatAsk(one)).map(demand),
  };
}

function idOf({ apiVersion, kind, name }: Resource): string {
  return idOfRef({ group: groupOf(apiVersion), kind, name });
}

function idOfRef({ group, kind, name }: NodeClassRef): string {
  return `${group}/${kind}/${name}`;
}

/** Defines inputs for raw Karpenter objects: no RenderConfig, and nothing is rendered. */
export function rawInputs(profile: Profile = RAW_PROFILE, karpenter = karpenterOptions(profile)): ResolvedInputs {
  const settings: Settings = {
    config: {},
    resource: undefined,
    ...settled("renderConfig", { profile }),
    nodeLabels: {},
    rootVolume: undefined,
    renderNodeClasses: false,
    karpenterUsers: undefined,
    includeUserData: false,
    inferred: false,
    karpenter,
  };
  const hidden = { infraID: undefined, instanceProfile: undefined, resourceTags: undefined, secrets: new Map() };
  return { settings, policy: NO_POLICY, hidden, rootVolume: decideRootVolume({ policy: NO_POLICY, settings }) };
}

export function rawBundle({ nodePools, nodeClasses }: Pick<RawObjects, "nodePools" | "nodeClasses">): Bundle {
  return {
    hostedCluster: undefined,
    policy: undefined,
    renderConfig: undefined,
    hostedControlPlane: undefined,
    hostedClusterObject: undefined,
    userDataSecrets: new Map(),
    nodePools,
    nodeClasses,
    earlierOutput: [],
    operatorOutput: [],
    findings: [],
  };
}

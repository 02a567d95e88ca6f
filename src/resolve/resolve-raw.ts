/** Resolves raw Karpenter objects into one cluster for each provider. */
import { convertAsWebhook } from "../karpenter/conversion/convert-object.ts";
import { karpenterType } from "../karpenter/conversion/karpenter-type.ts";
import { isForPoolsThatAsk } from "../karpenter/provider/aws.ts";
import type { ClassRequirement, Provider } from "../karpenter/provider/provider.ts";
import { providerOf } from "../karpenter/provider/providers.ts";
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import { valueAt } from "../krm/places/field-path.ts";
import { describeResource, groupOf, type Resource } from "../krm/places/resource.ts";
import { type Profile, RAW_PROFILE } from "../model/crds/profile.ts";
import { ec2NodeClassSchema } from "../model/ec2/node-class.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import type { RawObjects } from "../model/objects/raw-objects.ts";
import { nodePoolSchema } from "../model/pools/node-pool.ts";
import { memoizeByKey } from "../model/schema/memoize.ts";
import { MOVED_OF_NODE_POOL } from "../model/schema/moved-fields.ts";
import { validate } from "../model/schema/validate.ts";
import { settled } from "../model/settings/settings.ts";
import type { ResolvedInputs } from "./inputs.ts";
import { NO_POLICY } from "./policy.ts";
import { type PoolRequirement, rawPoolRequirements } from "./pool-requirements.ts";
import type { NodePoolWrapper } from "./read-node-pool.ts";
import type { NodeClassRef } from "./resolve-node-class-ref.ts";
import { type ResolvedPool, withMerges } from "./resolve-pool.ts";
import type { ReadNodePool, ResolvedCluster } from "./resolved-cluster.ts";
import { decideRootVolume } from "./root-volume.ts";
import type { Settings } from "./settings.ts";

/** Invalid objects have findings and no pool. */
export function resolveRaw(objects: RawObjects, profile?: Profile): Outcome<ResolvedCluster[]> {
  const inputs = rawInputs(profile);
  const classes = objects.nodeClasses.map((nodeClass) => readClass(nodeClass, inputs));
  const byId = new Map(classes.map((read) => [idOf(read.resource), read]));
  const pools = objects.nodePools.map((pool) => readPool(pool, inputs, byId));
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
        bundle: rawBundle({ nodePools, nodeClasses }),
        gateOff: false,
        settings: inputs.settings,
        inputs,
        nodeClasses: [],
        nodePools: own.map(({ resource, read, pool }) => ({ wrapper: resource, ...read, pool })),
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

const schemas = { pool: memoizeByKey(nodePoolSchema), ec2: memoizeByKey(ec2NodeClassSchema) };

function readClass(given: Resource, { settings }: ResolvedInputs): ReadClass {
  const provider = providerOf({ group: groupOf(given.apiVersion) });
  const { value: resource, findings } = asV1(given);
  if (resource === undefined) return { resource: given, provider, value: undefined, demands: NO_DEMANDS, findings };
  // anp has no schema for other providers.
  if (provider.name !== "aws")
    return { resource, provider, value: resource, demands: requirementsOfClass(resource, provider), findings };
  const codes = { code: "node-class-invalid", unknownField: "unknown-field" } as const;
  const valid = validate(schemas.ec2(settings.profile), resource, codes);
  const all = [...findings, ...valid.findings];
  if (valid.value === undefined) return { resource, provider, value: undefined, demands: NO_DEMANDS, findings: all };
  return { resource, provider, value: resource, demands: requirementsOfClass(resource, provider), findings: all };
}

interface ReadPool {
  readonly resource: Resource;
  readonly provider: Provider;
  readonly read: Outcome<NodePoolWrapper | undefined>;
  readonly pool: ReadNodePool["pool"];
  readonly findings: readonly Finding[];
}

const NO_CLASS = { group: "", kind: "", name: "" };

const REF = ["spec", "template", "spec", "nodeClassRef"];

function readPool(given: Resource, inputs: ResolvedInputs, classes: ReadonlyMap<string, ReadClass>): ReadPool {
  const { value: converted, findings: onVersion } = asV1(given);
  const resource = converted ?? given;
  const group = valueAt(resource.value, [...REF, "group"]);
  const provider = providerOf({ group: typeof group === "string" ? group : "" });
  const nothing = { value: undefined, findings: [] };
  if (converted === undefined) return { resource, provider, read: nothing, pool: undefined, findings: onVersion };
  const codes = { code: "node-pool-invalid", unknownField: "unknown-field", moved: MOVED_OF_NODE_POOL } as const;
  const valid = validate(schemas.pool(inputs.settings.profile), resource, codes);
  const findings = [...onVersion, ...valid.findings];
  if (valid.value === undefined) return { resource, provider, read: nothing, pool: undefined, findings };
  const { spec } = valid.value;
  const labels = spec.template.metadata?.labels ?? {};
  const read = {
    value: { spec, given: spec, bounds: [], boundOrigins: [], labels, labelOrigins: [] },
    findings: [],
  };
  // Karpenter's CRD requires both, the wrapper's does not.
  const { nodeClassRef = NO_CLASS, requirements = [] } = spec.template.spec;
  const { value: nodeClass, demands = NO_DEMANDS } = classes.get(idOfRef(nodeClassRef)) ?? {};
  const pool: ResolvedPool = withMerges({
    ...read.value,
    mode: "raw",
    name: resource.name,
    hostedCluster: undefined,
    wrapper: resource,
    provider,
    nodeClassRef,
    nodeClass,
    policy: undefined,
    asked: rawPoolRequirements(resource, requirements, labels),
    ...demands,
    onBypass: inputs.settings.onBypass,
    replicas: spec.replicas,
    findings: [],
  });
  return { resource, provider, read, pool, findings };
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
export function rawInputs(profile: Profile = RAW_PROFILE): ResolvedInputs {
  const settings: Settings = {
    config: {},
    resource: undefined,
    ...settled("renderConfig", { profile }),
    nodeLabels: {},
    rootVolume: undefined,
    renderNodeClasses: false,
    karpenterUsers: undefined,
    includeUserData: false,
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

/** Undefined if Karpenter's conversion fails. Places remain those of the object as written. */
export function asV1(resource: Resource): Outcome<Resource | undefined> {
  // The v1beta1 of other providers is not Karpenter's.
  if (karpenterType(resource)?.version !== "v1beta1") return { value: resource, findings: [] };
  const result = convertAsWebhook(resource.value, "v1");
  if ("refusal" in result) return { value: undefined, findings: [refused(resource)] };
  return { value: { ...resource, value: result.value }, findings: [converted(resource)] };
}

function converted(resource: Resource): Finding {
  const message = `${describeResource(resource)} is ${resource.apiVersion}; it is converted to v1 as Karpenter does`;
  return findingAt("old-dialect", resource, ["apiVersion"], { message, hint: "anp migrate --write converts it to v1" });
}

function refused(resource: Resource): Finding {
  const message = `${describeResource(resource)} is ${resource.apiVersion}, and Karpenter's conversion to v1 fails`;
  const code = resource.kind === "NodePool" ? "node-pool-invalid" : "node-class-invalid";
  return findingAt(code, resource, ["apiVersion"], { message, hint: "run anp migrate for the reason" });
}

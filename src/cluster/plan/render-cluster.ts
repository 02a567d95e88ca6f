/** Renders what the guest should have; finds what to hold, and conflicts with the policy. */
import { type Finding, hasErrors } from "../../krm/findings/finding.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { type Bundle, isUsersNodePool } from "../../model/inputs/bundle.ts";
import { gatherBundles } from "../../model/inputs/gather.ts";
import { renderedIdOf } from "../../model/objects/applied-kinds.ts";
import { idOf, type KubeObject } from "../../model/objects/kube-object.ts";
import { admissionPolicies } from "../../render/admission-policies.ts";
import { render } from "../../render/render.ts";
import type { HiddenInputs } from "../../resolve/hidden-inputs.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import type { RenderedObject } from "../../resolve/origin.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import { resolve } from "../../resolve/resolve.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { applyRules } from "../../resolve/rules.ts";
import { configOf, type RenderOptions, type Settings } from "../../resolve/settings.ts";
import { inventoryGuard } from "../inventory/location.ts";
import { decideByPolicy, type PolicyDecision, type PolicyReading } from "../objects/policy-mode.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import type { Inputs } from "../read/gather-inputs.ts";

/** A cluster with readable policy, settings and hidden inputs. */
export interface ReadableCluster extends ResolvedCluster {
  readonly inputs: ResolvedInputs;
}

export interface RenderedInputs {
  readonly bundle: Bundle | undefined;
  /** Undefined if nothing can be rendered. */
  readonly cluster: ReadableCluster | undefined;
  readonly decision: PolicyDecision;
  /** A reason other than the policy for which nothing is applied; undefined if something is applied. */
  readonly unreadable: string | undefined;
  readonly desired: readonly KubeObject[];
  /** Why pools and classes are held: which objects anp owns is unknown. Undefined if it is known. */
  readonly inventoryProblem: string | undefined;
  /** By `Kind/name` of what would be rendered. */
  readonly held: ReadonlyMap<string, string>;
  readonly wrappers: ReadonlySet<string>;
  readonly findings: readonly Finding[];
  readonly gateOff: boolean;
  readonly allowedWriters: readonly string[];
}

export function renderCluster(inputs: Inputs, cluster: WatchedCluster): RenderedInputs {
  const gathered = gatherBundles(inputs.resources, {
    hostedCluster: cluster.hostedCluster,
    config: inputs.config,
    nodePools: cluster.render.nodePools,
  });
  const onReading = [...inputs.findings, ...gathered.findings];
  const [bundle] = gathered.value.bundles;
  const gateOff = cluster.render.autoNode === false;
  const options = bundle === undefined ? {} : renderOptionsOf(bundle, cluster);
  const resolved = bundle === undefined ? undefined : resolve(bundle, options);
  const settings = resolved?.settings;
  const decide = (reading: PolicyReading) => decideByPolicy(reading, cluster.onPolicyUnreadable);
  const base = {
    bundle,
    cluster: undefined,
    desired: [],
    held: new Map<string, string>(),
    wrappers: new Set((bundle === undefined ? [] : wrappersOf(bundle)).map(({ kind, name }) => `${kind}/${name}`)),
    gateOff,
    allowedWriters: settings?.config.admission?.allowedWriters ?? [],
    unreadable: undefined,
    inventoryProblem: undefined,
  };
  if (bundle === undefined || resolved === undefined || settings === undefined || hasErrors(onReading)) {
    const findings = [...onReading, ...((settings === undefined ? resolved?.findings : bundle?.findings) ?? [])];
    const unreadable = "the input has errors; applied objects stay as they are";
    return { ...base, decision: decide(inputs.reading), unreadable, findings, held: holdAll(bundle, unreadable) };
  }
  const rendered = render(resolved);
  // An absent policy is a finding only if the API server says that it is absent.
  const isTrue = ({ code }: Finding) => code !== "policy-absent" || inputs.reading.state === "absent";
  const findings = [...applyRules(onReading, settings.config.rules), ...rendered.findings.filter(isTrue)];
  const decision = decide(readingOf(inputs.reading, bundle, rendered.findings));
  // Users of the guest cluster cannot write an inventory in the management cluster.
  const ownGuards = cluster.management === undefined ? inventoryGuard(settings) : [];
  if (decision.mode === "Hold") {
    const isPaused = decision.reason === "HostedClusterPaused";
    const desired = gateOff || isPaused ? [] : [...guardsOf(settings), ...ownGuards];
    return { ...base, decision, findings, desired, held: holdAll(bundle, decision.message) };
  }
  if (!isReadable(resolved) || hasErrors(bundle.findings)) {
    const unreadable = "the hosted cluster's input has errors; applied objects stay as they are";
    return { ...base, decision, unreadable, findings, held: holdAll(bundle, unreadable) };
  }
  if (gateOff) return { ...base, decision, findings, cluster: resolved };
  const held = new Map(heldByError(bundle, settings, rendered.value, rendered.findings));
  const desired: KubeObject[] = [...ownGuards];
  const there = new Set(inputs.guest.live.map(idOf));
  for (const { object, wrapper } of rendered.value) {
    // NodePools that users write are theirs.
    if (wrapper !== undefined && isUsersNodePool(wrapper)) continue;
    // A user who deletes a pool and then its wrapper must not get the pool back.
    if (isGoing(wrapper) && !there.has(idOf(object))) continue;
    const lacking =
      object.kind === "EC2NodeClass" ? lackingOf(object, inputs.hiddenProblem, resolved.inputs.hidden) : undefined;
    if (lacking === undefined) desired.push(object);
    else held.set(`${object.kind}/${object.metadata.name}`, lacking);
  }
  return { ...base, cluster: resolved, decision, findings, desired, held };
}

/** A pool that would bypass the policy is blocked, not omitted: an omitted pool would stay as it was. */
function renderOptionsOf(bundle: Bundle, { render: given, source }: WatchedCluster): RenderOptions {
  const configured = configOf(bundle).value?.onBypass;
  const rulesTrusted = source.policyDir !== undefined;
  return { ...given, includeUserData: true, rulesTrusted, ...(configured === undefined ? { onBypass: "Block" } : {}) };
}

/** Adds what only rendering finds out: an invalid policy, or a required one that is missing. */
function readingOf(read: PolicyReading, bundle: Bundle, findings: readonly Finding[]): PolicyReading {
  if (read.state !== "present" && read.state !== "absent" && read.state !== "forbidden") return read;
  const error = [...bundle.findings, ...findings].find(isPolicyError);
  if (error?.code === "policy-required")
    return { state: "required", words: read.state === "forbidden" ? read.words : error.message };
  if (error !== undefined) return { state: "invalid", words: error.message };
  if (read.state === "present" && bundle.policy === undefined)
    return { state: "invalid", words: "the input does not contain the AutoNodePolicy that was read" };
  return read;
}

function isPolicyError({ code, severity, resource }: Finding): boolean {
  if (severity !== "error") return false;
  return POLICY_ERRORS.includes(code) || (code === "provider-mismatch" && resource?.kind === "AutoNodePolicy");
}

const POLICY_ERRORS: readonly string[] = ["policy-invalid", "policy-duplicate", "policy-required"];

function isReadable(cluster: ResolvedCluster): cluster is ReadableCluster {
  return cluster.inputs !== undefined;
}

function isGoing(wrapper: Resource | undefined): boolean {
  return valueAt(wrapper?.value, ["metadata", "deletionTimestamp"]) !== undefined;
}

/** Admission policies do not depend on the AutoNodePolicy, and guard held objects, too. */
function guardsOf(settings: Settings): KubeObject[] {
  return admissionPolicies(settings).map(({ object }) => object);
}

function wrappersOf(bundle: Bundle): Resource[] {
  return [...bundle.nodeClasses, ...poolWrappersOf(bundle)];
}

function poolWrappersOf({ nodePools }: Bundle): Resource[] {
  return nodePools.filter((pool) => !isUsersNodePool(pool));
}

function holdAll(bundle: Bundle | undefined, why: string): Map<string, string> {
  const wrappers = bundle === undefined ? [] : wrappersOf(bundle);
  return new Map(wrappers.map(({ kind, name }) => [renderedIdOf(kind, name), why]));
}

function heldByError(
  bundle: Bundle,
  settings: Settings,
  rendered: readonly RenderedObject[],
  findings: readonly Finding[],
): [string, string][] {
  const done = new Set(rendered.map(({ object }) => `${object.kind}/${object.metadata.name}`));
  const wrappers = settings.renderNodeClasses ? wrappersOf(bundle) : poolWrappersOf(bundle);
  const errors = findings.filter(({ severity }) => severity === "error");
  const ofClasses = errors.find(({ code }) => code === "root-volume-refused");
  // The first error of each wrapper. A map, because there may be many invalid wrappers.
  const firstOf = new Map(
    errors.toReversed().map((error) => [`${error.resource?.kind}/${error.resource?.name}`, error] as const),
  );
  return wrappers.flatMap(({ kind, name }): [string, string][] => {
    const id = renderedIdOf(kind, name);
    if (done.has(id)) return [];
    const error = firstOf.get(`${kind}/${name}`) ?? (kind === "OpenshiftEC2NodeClass" ? ofClasses : undefined);
    return [[id, error?.message ?? `${kind} ${name} cannot be rendered`]];
  });
}

/** Nodes of an incomplete node class would never join or have wrong tags (docs/design.md#ec2nodeclasses). */
function lackingOf(object: KubeObject, problem: string | undefined, hidden: HiddenInputs): string | undefined {
  if (problem !== undefined) return problem;
  const fields = ["amiSelectorTerms", "userData", "subnetSelectorTerms", "securityGroupSelectorTerms"];
  const lacking = fields.filter((field) => object.spec[field] === undefined);
  if (hidden.infraID === undefined) lacking.unshift("infraID");
  if (lacking.length === 0) return undefined;
  return `OpenshiftEC2NodeClass ${object.metadata.name} is not complete without ${lacking.join(", ")}: the HostedControlPlane and the user-data Secret hold them`;
}

export interface PoolConflict {
  readonly pool: string;
  readonly key: string;
  /** `conflict`: the pool gets no new nodes. `bypass`: it would bypass the policy, and is blocked. */
  readonly what: "conflict" | "bypass";
}

/**
 * Does not use findings: a RenderConfig may turn them off, and the status must still be right. Not of NodePools that users
 * write: anp does not apply their rendering.
 */
export function poolConflicts(pools: readonly ResolvedPool[]): PoolConflict[] {
  const ours = pools.filter(({ wrapper }) => !isUsersNodePool(wrapper));
  return ours.flatMap(({ name, merged }) =>
    merged.flatMap(({ key, outcome, policy, user }): PoolConflict[] => {
      if (outcome === "bypassed") return [{ pool: name, key, what: "bypass" }];
      const both = policy !== undefined && user !== undefined;
      return outcome === "blocking" && both ? [{ pool: name, key, what: "conflict" }] : [];
    }),
  );
}

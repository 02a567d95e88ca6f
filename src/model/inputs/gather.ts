/** Gathers the input into one bundle for each hosted cluster, and refuses mistakes. */
import { type Finding, findingAt, type Outcome } from "../../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import type { FindingCode } from "../../krm/findings/finding-codes.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { strayFindings, type StrayWrapper } from "./ambiguous-cluster.ts";
import type { Bundle, NodePoolForm } from "./bundle.ts";
import { type ExtendedPolicies, extendedPolicies, extendsOf } from "./extended-policies.ts";
import { rulesOutsideTree } from "./rules-outside-tree.ts";
import { concernedBy, configuredBy, makeBundle, type Sorted } from "./make-bundle.ts";
import { markUserData } from "../objects/raw-objects.ts";
import {
  type ClusterReference,
  HOSTED_CLUSTER_NAME,
  HostedClusters,
  namedNamespace,
  type Owner,
} from "./hosted-clusters.ts";
import { wrapperIdOf } from "../objects/applied-kinds.ts";
import { inputMode } from "../objects/input-mode.ts";
import { isRawNodePool, type Refusal, type Role, roleOf, RULE_ROLES } from "../objects/role.ts";

export interface GatherOptions {
  /** `--hosted-cluster`. */
  readonly hostedCluster?: string | undefined;
  /** The RenderConfig of `--config`, which the user trusts by naming it. */
  readonly config?: Resource | undefined;
  /**
   * Whether objects that HyperShift's operator made of a wrapper count as output, not as raw objects: for questions
   * only.
   */
  readonly outputsOfOperator?: boolean | undefined;
  /** Whether users write NodePools themselves, if the RenderConfig of each cluster does not decide. */
  readonly nodePools?: NodePoolForm | undefined;
  /** Whether the input is taken for HyperShift as it ships, in which no policy names a hosted cluster. */
  readonly inferred?: boolean | undefined;
  /** Whether rules come only from a directory that the user trusts: those of the items of a function have no other mark. */
  readonly rulesTrusted?: boolean | undefined;
  /** Folders, as findings show them, that kustomize builds manifests of. */
  readonly kustomized?: ReadonlySet<string> | undefined;
}

export interface Gathered {
  /** One for each hosted cluster to render, sorted by namespace. */
  readonly bundles: readonly Bundle[];
  /** Every hosted cluster that the input names, also those that are not selected. */
  readonly named: readonly string[];
  /** Earlier output of an unknown hosted cluster. */
  readonly strayOutput: readonly Resource[];
  /** Wrappers of an unknown hosted cluster. */
  readonly strays: readonly StrayWrapper[];
  /** The folders of each hosted cluster. */
  readonly clusters: HostedClusters;
}

/**
 * If there is an error among the findings, or among those of a bundle, no bundle may be rendered. Which cluster an
 * object counts for is in docs/design.md#hosted-clusters.
 */
export function gatherBundles(given: readonly Resource[], options: GatherOptions): Outcome<Gathered> {
  const findings: Finding[] = [];
  const isShipped = inputMode(given, {}) === "shipped";
  const refused: { resource: Resource; finding: Finding }[] = [];
  const sorted: Sorted[] = options.config === undefined ? [] : [{ role: "render-config", resource: options.config }];
  for (const resource of markUserData(given)) {
    const role = roleOf(resource, options);
    if (typeof role === "string") {
      if (RULE_ROLES.has(role) && !resource.document.source.trusted) findings.push(untrusted(resource));
      else sorted.push({ role, resource });
    } else {
      refused.push({
        resource,
        finding: refusedAs(isShipped && isRawNodePool(resource) ? { ...role, hint: OF_SHIPPED } : role, resource),
      });
    }
  }
  for (const { role, resource } of sorted)
    if (role === "policy" && resource.name === "") findings.push(withoutName(resource));
  const configs = sorted.flatMap(({ role, resource }) => (role === "render-config" ? [resource] : []));
  const extended = extendedPolicies(configs, given);
  const isBase = ({ role, resource }: Sorted): boolean => role === "policy" && mayBeBase(resource, extended);
  const references = sorted.flatMap((one) => (isBase(one) ? [] : referenceOf(one.role, one.resource, findings)));
  const clusters = new HostedClusters(references, options.hostedCluster);
  const isRaw = rawClusters(sorted, clusters, options);
  findings.push(...isRaw.findings);
  findings.push(...(options.inferred === true ? [] : clusters.findings()), ...rulesOutsideTree(sorted, clusters));
  for (const { role, resource } of sorted)
    if (role === "render-config" && isUnused(resource, clusters)) findings.push(unused(resource, clusters));
  for (const { resource, finding } of refused) {
    if (isRawNodePool(resource) && isRaw.value(clusters.ownerOf(resource))) {
      sorted.push({ role: "raw-node-pool", resource });
      continue;
    }
    // Findings about objects of other clusters are left out, except for unknown kinds: one may be a rule of any
    // cluster.
    if (finding.code === "unknown-kind" || clusters.ownerOf(resource) !== "other") findings.push(finding);
  }
  const owned = new Map<string | undefined, Sorted[]>();
  const strayOutput: Resource[] = [];
  const strays: StrayWrapper[] = [];
  for (const entry of sorted) {
    const isOutput = entry.role === "earlier-output" || entry.role === "operator-output";
    if (!isOutput && !OF_USERS.has(entry.role)) continue;
    const owner = isOutput ? clusters.ownerOfOutput(entry.resource) : clusters.ownerOf(entry.resource);
    if (owner === "other") continue;
    if ("among" in owner) {
      if (entry.role === "earlier-output") strayOutput.push(entry.resource);
      else if (isOutput) findings.push(...withoutWrapper([entry]).flatMap((orphan) => orphan.findings));
      else strays.push({ resource: entry.resource, among: owner.among });
      continue;
    }
    const own = owned.get(owner.namespace);
    if (own === undefined) owned.set(owner.namespace, [entry]);
    else own.push(entry);
  }
  findings.push(...ambiguities(clusters, strays, references, options));
  const concerned = concernedBy(sorted, clusters);
  const bundles = clusters.targets().map((namespace) => {
    const own = owned.get(namespace) ?? [];
    const orphans = withoutWrapper(own);
    const isPool = ({ entry: { resource } }: Orphan): boolean => isRawNodePool(resource) && isRaw.value({ namespace });
    findings.push(...orphans.filter((orphan) => !isPool(orphan)).flatMap((orphan) => orphan.findings));
    const left = new Set(orphans.map(({ entry }) => entry));
    const users = [
      ...own.filter((entry) => !left.has(entry)),
      ...orphans.filter(isPool).map(({ entry }): Sorted => ({ ...entry, role: "raw-node-pool" })),
    ];
    return makeBundle(namespace, concerned.get(namespace) ?? [], users, extended.of);
  });
  const lacksPolicy = bundles.some((one) => one.policy === undefined && extendsOf(one.renderConfig) === undefined);
  for (const { role, resource } of sorted.filter(isBase)) {
    if (extended.named.has(resource)) continue;
    // It may be the policy that a cluster lacks.
    if (lacksPolicy) referenceOf(role, resource, findings);
    else if (!extended.isBroken) findings.push(notExtended(resource));
  }
  return { value: { bundles, named: clusters.namespaces, strayOutput, strays, clusters }, findings };
}

/** An AutoNodePolicy without a namespace, if RenderConfigs extend policies. */
function mayBeBase({ value }: Resource, { of }: ExtendedPolicies): boolean {
  return of.size > 0 && valueAt(value, ["metadata", "namespace"]) === undefined;
}

/** The roles of objects that users of a hosted cluster write. */
const OF_USERS: ReadonlySet<Role> = new Set(["node-pool", "node-class", "raw-node-pool"]);

/** Whether the owner of a NodePool takes raw ones. Only a setting that its users cannot write decides that. */
function rawClusters(
  sorted: readonly Sorted[],
  clusters: HostedClusters,
  options: GatherOptions,
): Outcome<(owner: Owner) => boolean> {
  const findings: Finding[] = [];
  const { nodePools, rulesTrusted = false } = options;
  const raw = new Set<string | undefined>();
  for (const { role, resource } of sorted) {
    if (role !== "render-config") continue;
    const isTrusted = resource.document.source.config || resource.document.source.ofPolicyDir || rulesTrusted;
    const enforcedBy = valueAt(resource.value, ENFORCED_BY);
    if (enforcedBy !== undefined && !isTrusted) findings.push(untrustedField(resource, ENFORCED_BY, enforcedBy));
    if (nodePools !== undefined || valueAt(resource.value, NODE_POOLS) !== "Raw") continue;
    for (const namespace of configuredBy(resource, clusters)) raw.add(namespace);
    if (!isTrusted) findings.push(untrustedField(resource, NODE_POOLS, "Raw"));
  }
  const isRaw = (namespace: string | undefined): boolean => nodePools === "Raw" || raw.has(namespace);
  const value = (owner: Owner): boolean => {
    if (owner === "other") return false;
    return "among" in owner ? nodePools === "Raw" || owner.among.some(isRaw) : isRaw(owner.namespace);
  };
  return { value, findings };
}

const NODE_POOLS: FieldPath = ["spec", "nodePools"];
const ENFORCED_BY: FieldPath = ["spec", "enforcedBy"];

function untrustedField(config: Resource, path: FieldPath, value: unknown): Finding {
  const field = `${String(path.at(-1))}: ${String(value)}`;
  const message = `${describeResource(config)} sets ${field}, and authors of manifests could have written it`;
  const hint = "name the file with --config, or move it to the directory given with --policy-dir";
  return findingAt("untrusted-policy", config, path, { message, hint });
}

/** One finding for each cause: wrappers in a folder of several clusters have no finding of their own. */
function ambiguities(
  clusters: HostedClusters,
  strays: readonly StrayWrapper[],
  references: readonly ClusterReference[],
  { kustomized = new Set() }: GatherOptions,
): Finding[] {
  const conflicts = clusters.conflicts(strays);
  const { namespaces } = clusters;
  const rulesApart = references.some(({ resource }) => resource.document.source.ofPolicyDir === true);
  const others = conflicts.length === 0 ? strays : strays.filter(({ among }) => among.length === 0);
  return [
    ...conflicts,
    ...strayFindings(others, { namespaces, rulesApart, kustomized, selectable: !clusters.isFleet }),
  ];
}

interface Orphan {
  readonly entry: Sorted;
  readonly findings: readonly Finding[];
}

/** Objects of the operator that name a missing wrapper: no policy covers them. */
function withoutWrapper(own: readonly Sorted[]): Orphan[] {
  const ids = new Set(own.map(({ resource: { kind, name } }) => `${kind}/${name}`));
  return own.flatMap((entry) => {
    const { role, resource } = entry;
    const wrapper = wrapperIdOf(resource.kind, resource.name);
    if (role !== "operator-output" || (wrapper !== undefined && ids.has(wrapper))) return [];
    const refusal = roleOf(resource);
    return [{ entry, findings: typeof refusal === "string" ? [] : [refusedAs(refusal, resource)] }];
  });
}

/** The input could be HyperShift as it ships, which has no OpenshiftNodePool to adopt a NodePool into. */
const OF_SHIPPED =
  "with nodePools: Raw (--node-pools Raw) users may write NodePools; HyperShift as it ships has no OpenshiftNodePool";

/** The finding of an object that has no role. */
export function refusedAs({ code, message, hint }: Refusal, resource: Resource): Finding {
  return findingAt(code, resource, ["kind"], { message: `${describeResource(resource)} ${message}`, hint });
}

const REFERENCE_CODES: Partial<Record<Role, FindingCode>> = {
  policy: "policy-invalid",
  "hosted-control-plane": "context-invalid",
  "hosted-cluster": "context-invalid",
  "render-config": "render-config-invalid",
};

function referenceOf(role: Role, resource: Resource, findings: Finding[]): ClusterReference[] {
  const namespace = namedNamespace(role, resource);
  if (namespace !== undefined && HOSTED_CLUSTER_NAME.test(namespace)) return [{ namespace, resource }];
  const code = REFERENCE_CODES[role];
  // A RenderConfig may leave it out: it is for the clusters of its folder.
  if (code === undefined || (namespace === undefined && role === "render-config")) return [];
  const path = role === "render-config" ? ["spec", "hostedCluster", "namespace"] : ["metadata", "namespace"];
  const message =
    namespace === undefined
      ? `${describeResource(resource)} has no metadata.namespace, which names its hosted cluster`
      : `${describeResource(resource)}: \`${namespace}\` is not a namespace`;
  const hint = "write the hosted control plane's namespace, such as clusters-my-cluster";
  findings.push(findingAt(code, resource, path, { message, hint }));
  return [];
}

function isUnused(config: Resource, clusters: HostedClusters): boolean {
  // rulesOutsideTree reports one that a `*` found.
  if (namedNamespace("render-config", config) !== undefined || config.document.source.tree !== undefined) return false;
  // Each of its clusters is named by the input; with no selection all of those are targets.
  const [first] = configuredBy(config, clusters);
  return clusters.selected === undefined && first === undefined && clusters.namespaces.length > 0;
}

/** An unused RenderConfig may be the one that requires a policy. */
function unused(config: Resource, { namespaces }: HostedClusters): Finding {
  const message = `${describeResource(config)} is in no hosted cluster's folder: ${namespaces.join(", ")}`;
  const hint = "set its spec.hostedCluster.namespace, or move it to the folder of the cluster it is for";
  return findingAt("ambiguous-cluster", config, [], { message, hint });
}

function untrusted(resource: Resource): Finding {
  const message = `${describeResource(resource)} is outside the policy directory, where authors of wrappers could change it`;
  return findingAt("untrusted-policy", resource, [], {
    message,
    hint: "move it to the directory given with --policy-dir",
  });
}

function notExtended(policy: Resource): Finding {
  const message = `${describeResource(policy)} has no metadata.namespace and no RenderConfig extends it, so it applies to no hosted cluster`;
  return findingAt("policy-ignored", policy, ["metadata"], { message, hint: "remove the file, or extend it" });
}

function withoutName(policy: Resource): Finding {
  const message =
    "AutoNodePolicy has no metadata.name, so it would be ignored: only the one named `default` is recognised";
  return findingAt("policy-invalid", policy, ["metadata"], { message, hint: "write name: default" });
}

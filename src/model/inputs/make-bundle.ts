/** Makes the bundle of one hosted cluster from objects sorted by role, and refuses duplicates. */
import { type Finding, findingAt, type Outcome } from "../../krm/findings/finding.ts";
import type { FindingCode } from "../../krm/findings/finding-codes.ts";
import { locationOf } from "../../krm/places/location.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { POLICY_NAME } from "../policy/auto-node-policy.ts";
import type { Bundle } from "./bundle.ts";
import { EXTENDS, policyOfBase } from "./extended-policies.ts";
import { type HostedClusters, namedNamespace } from "./hosted-clusters.ts";
import type { Role } from "../objects/role.ts";
import { userDataOwner } from "../objects/user-data-secret.ts";

/** A resource and its role. */
export interface Sorted {
  readonly role: Role;
  readonly resource: Resource;
}

/** The objects of each hosted cluster other than its wrappers: a fleet has thousands of each. */
export function concernedBy(
  sorted: readonly Sorted[],
  clusters: HostedClusters,
): ReadonlyMap<string | undefined, readonly Sorted[]> {
  const found = new Map<string | undefined, Sorted[]>();
  for (const entry of sorted)
    for (const namespace of clustersOf(entry, clusters)) {
      const known = found.get(namespace);
      if (known === undefined) found.set(namespace, [entry]);
      else known.push(entry);
    }
  return found;
}

function clustersOf({ role, resource }: Sorted, clusters: HostedClusters): Iterable<string | undefined> {
  if (role === "render-config") return configuredBy(resource, clusters);
  const namespace = role === "user-data" ? userDataOwner(resource)?.split("/", 1)[0] : namedNamespace(role, resource);
  return namespace === undefined ? [] : [namespace];
}

/**
 * A RenderConfig without a namespace is for the clusters in its folder and below, else for the one above. In a folder
 * without a cluster it is for the selected cluster, as a wrapper is, unless a `*` of `--policy-dir` found it.
 */
export function configuredBy(config: Resource, clusters: HostedClusters): Iterable<string | undefined> {
  const named = namedNamespace("render-config", config);
  if (named !== undefined) return [named];
  const { config: isOption, tree } = config.document.source;
  // A file that --config names is for every cluster that is rendered.
  if (isOption) return clusters.targets();
  const around = clusters.around(config);
  if (tree !== undefined) return around;
  if (clusters.namespaces.length < 2) return clusters.targets();
  return around.size === 0 ? [clusters.selected] : around;
}

/**
 * @param concerned the cluster's objects other than its wrappers
 * @param own the cluster's own wrappers and earlier output
 * @param extended by RenderConfig: the policy that it extends
 */
export function makeBundle(
  namespace: string | undefined,
  concerned: readonly Sorted[],
  own: readonly Sorted[],
  extended: ReadonlyMap<Resource, Outcome<Resource | undefined>> = new Map(),
): Bundle {
  const findings: Finding[] = [];
  const single = (found: readonly Resource[], code: FindingCode, why: string): Resource | undefined => {
    for (const extra of found.slice(1)) findings.push(alreadyGiven(extra, found[0]!, code, why));
    return found[0];
  };
  const policies = ofRole(concerned, "policy");
  // A policy without a name is another error.
  for (const policy of policies)
    if (policy.name !== POLICY_NAME && policy.name !== "") findings.push(ignoredPolicy(policy));
  const ownPolicy = single(
    policies.filter((policy) => policy.name === POLICY_NAME),
    "policy-duplicate",
    "a hosted cluster has one policy",
  );
  const renderConfig = single(
    ofRole(concerned, "render-config"),
    "render-config-duplicate",
    "a hosted cluster has one RenderConfig",
  );
  const base = renderConfig === undefined ? undefined : extended.get(renderConfig);
  findings.push(...(base?.findings ?? []));
  if (base !== undefined && ownPolicy !== undefined) findings.push(twoPolicies(renderConfig!, ownPolicy));
  if (base !== undefined && namespace === undefined) findings.push(extendsForNone(renderConfig!));
  return {
    hostedCluster: namespace,
    policy:
      ownPolicy ??
      (base?.value === undefined || namespace === undefined ? undefined : policyOfBase(base.value, namespace)),
    renderConfig,
    hostedControlPlane: single(
      ofRole(concerned, "hosted-control-plane"),
      "duplicate-resource",
      "a namespace has one hosted control plane",
    ),
    hostedClusterObject: single(
      ofRole(concerned, "hosted-cluster"),
      "duplicate-resource",
      "two HostedClusters have the same hosted control plane namespace",
    ),
    userDataSecrets: userDataSecrets(concerned, findings),
    nodePools: unique([...ofRole(own, "node-pool"), ...ofRole(own, "raw-node-pool")], findings),
    nodeClasses: unique(ofRole(own, "node-class"), findings),
    earlierOutput: ofRole(own, "earlier-output"),
    operatorOutput: ofRole(own, "operator-output"),
    findings,
  };
}

function ofRole(sorted: readonly Sorted[], wanted: Role): Resource[] {
  return sorted.flatMap(({ role, resource }) => (role === wanted ? [resource] : []));
}

function userDataSecrets(concerned: readonly Sorted[], findings: Finding[]): Map<string, Resource> {
  const byClass = new Map<string, Resource>();
  for (const resource of ofRole(concerned, "user-data")) {
    const [, ...rest] = userDataOwner(resource)!.split("/");
    if (rest.length === 0) continue;
    const nodeClass = rest.join("/");
    const first = byClass.get(nodeClass);
    if (first === undefined) byClass.set(nodeClass, resource);
    else {
      const why = `two user-data Secrets are for the node class ${nodeClass}`;
      findings.push(alreadyGiven(resource, first, "duplicate-resource", why));
    }
  }
  return byClass;
}

/** A wrapper and a raw NodePool of one name would be the same NodePool. */
function unique(resources: readonly Resource[], findings: Finding[]): Resource[] {
  const byName = new Map<string, Resource>();
  for (const resource of resources) {
    const first = byName.get(resource.name);
    if (first === undefined) byName.set(resource.name, resource);
    else {
      const why = "names are unique in a hosted cluster";
      const same = `${describeResource(first)} renders to a NodePool of that name`;
      const isSameKind = first.kind === resource.kind;
      findings.push(alreadyGiven(resource, first, "duplicate-resource", isSameKind ? why : same));
    }
  }
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function alreadyGiven(extra: Resource, first: Resource, code: FindingCode, why: string): Finding {
  const message = `${describeResource(extra)} is given twice (first in ${first.document.source.file}); ${why}`;
  return findingAt(code, extra, ["metadata", "name"], { message, hint: "keep one of the two" });
}

/** Merging the two would leave open which of them restricts. */
function twoPolicies(config: Resource, own: Resource): Finding {
  const message = `${describeResource(config)} extends a policy, and ${own.namespace} has one of its own (${locationOf(own, [])}); a hosted cluster has one policy`;
  return findingAt("policy-duplicate", config, EXTENDS, { message, hint: "keep one of the two" });
}

function extendsForNone(config: Resource): Finding {
  const message = `${describeResource(config)} extends a policy, and no hosted cluster is named that gets it`;
  return findingAt("policy-invalid", config, EXTENDS, { message, hint: "write spec.hostedCluster.namespace" });
}

function ignoredPolicy(policy: Resource): Finding {
  const message = `${describeResource(policy)} is ignored: only the AutoNodePolicy named \`${POLICY_NAME}\` is recognised`;
  return findingAt("policy-ignored", policy, ["metadata", "name"], {
    message,
    hint: `name it ${POLICY_NAME}, or remove it`,
  });
}

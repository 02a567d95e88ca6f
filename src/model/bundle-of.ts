/** Makes the bundle of one hosted cluster from objects sorted by role, and refuses doubles. */
import { type Finding, findingAt } from "../krm/finding.ts";
import type { FindingCode } from "../krm/finding-codes.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { POLICY_NAME } from "./auto-node-policy.ts";
import type { Bundle } from "./bundle.ts";
import { type HostedClusters, namespaceSpokenOf } from "./hosted-clusters.ts";
import type { Role } from "./role.ts";
import { userDataOwner } from "./user-data-secret.ts";

/** A resource and what it is to anp. */
export interface Sorted {
  readonly role: Role;
  readonly resource: Resource;
}

/** @param own the cluster's own wrappers and earlier output */
export function bundleOf(
  namespace: string | undefined,
  sorted: readonly Sorted[],
  own: readonly Sorted[],
  clusters: HostedClusters,
): Bundle {
  const findings: Finding[] = [];
  const ofCluster = (role: Role): Resource[] =>
    sorted
      .filter(
        (entry) =>
          entry.role === role && namespace !== undefined && namespaceSpokenOf(role, entry.resource) === namespace,
      )
      .map((entry) => entry.resource);
  const single = (found: readonly Resource[], code: FindingCode, why: string): Resource | undefined => {
    for (const extra of found.slice(1)) findings.push(alreadyGiven(extra, found[0]!, code, why));
    return found[0];
  };
  const policies = ofCluster("policy");
  // One without a name is an error of its own.
  for (const policy of policies)
    if (policy.name !== POLICY_NAME && policy.name !== "") findings.push(ignoredPolicy(policy));
  const configs = sorted.filter(
    ({ role, resource }) => role === "render-config" && configures(resource, namespace, clusters),
  );
  return {
    hostedCluster: namespace,
    policy: single(
      policies.filter((policy) => policy.name === POLICY_NAME),
      "policy-duplicate",
      "a hosted cluster has one policy",
    ),
    renderConfig: single(
      configs.map(({ resource }) => resource),
      "render-config-duplicate",
      "a hosted cluster has one RenderConfig",
    ),
    hostedControlPlane: single(
      ofCluster("hosted-control-plane"),
      "duplicate-resource",
      "a namespace has one hosted control plane",
    ),
    hostedClusterObject: single(
      ofCluster("hosted-cluster"),
      "duplicate-resource",
      "two HostedClusters come to one namespace",
    ),
    userDataSecrets: userDataSecrets(namespace, sorted, findings),
    nodePools: unique(own, "node-pool", findings),
    nodeClasses: unique(own, "node-class", findings),
    earlierOutput: ofRole(own, "earlier-output"),
    operatorOutput: ofRole(own, "operator-output"),
    findings,
  };
}

function ofRole(sorted: readonly Sorted[], wanted: Role): Resource[] {
  return sorted.flatMap(({ role, resource }) => (role === wanted ? [resource] : []));
}

/**
 * A RenderConfig without a namespace is for the clusters at its folder and below, else for the one above. In nobody's
 * folder it is for the selected cluster, as a wrapper is.
 */
export function configures(config: Resource, namespace: string | undefined, clusters: HostedClusters): boolean {
  const named = namespaceSpokenOf("render-config", config);
  if (named !== undefined) return named === namespace;
  // Who names a file with --config means it for all that is rendered.
  if (config.document.source.config || namespace === undefined || clusters.namespaces.length < 2) return true;
  const around = clusters.around(config.folder);
  return around.size === 0 ? clusters.selected === namespace : around.has(namespace);
}

function userDataSecrets(
  namespace: string | undefined,
  sorted: readonly Sorted[],
  findings: Finding[],
): Map<string, Resource> {
  const byClass = new Map<string, Resource>();
  for (const { role, resource } of sorted) {
    const owner = role === "user-data" ? userDataOwner(resource) : undefined;
    if (owner === undefined || namespace === undefined || !owner.startsWith(`${namespace}/`)) continue;
    const nodeClass = owner.slice(namespace.length + 1);
    const first = byClass.get(nodeClass);
    if (first === undefined) byClass.set(nodeClass, resource);
    else {
      const why = `two user-data Secrets are for the node class ${nodeClass}`;
      findings.push(alreadyGiven(resource, first, "duplicate-resource", why));
    }
  }
  return byClass;
}

function unique(wrappers: readonly Sorted[], role: Role, findings: Finding[]): Resource[] {
  const byName = new Map<string, Resource>();
  for (const entry of wrappers) {
    if (entry.role !== role) continue;
    const first = byName.get(entry.resource.name);
    if (first === undefined) byName.set(entry.resource.name, entry.resource);
    else
      findings.push(alreadyGiven(entry.resource, first, "duplicate-resource", "names are unique in a hosted cluster"));
  }
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function alreadyGiven(extra: Resource, first: Resource, code: FindingCode, why: string): Finding {
  const message = `${describeResource(extra)} is given twice (first in ${first.document.source.file}); ${why}`;
  return findingAt(code, extra, ["metadata", "name"], { message, hint: "keep one of the two" });
}

function ignoredPolicy(policy: Resource): Finding {
  const message = `${describeResource(policy)} is ignored: only the AutoNodePolicy named \`${POLICY_NAME}\` is recognised`;
  return findingAt("policy-ignored", policy, ["metadata", "name"], {
    message,
    hint: `name it ${POLICY_NAME}, or remove it`,
  });
}

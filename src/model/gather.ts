/** Resources to bundles: everything read in, one bundle for each hosted cluster out, slips refused (DESIGN.md 3.1). */
import { type Finding, findingAt, type Outcome } from "../krm/finding.ts";
import type { FindingCode } from "../krm/finding-codes.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { POLICY_NAME } from "./auto-node-policy.ts";
import type { Bundle } from "./bundle.ts";
import { HOSTED_CLUSTER_NAME, HostedClusters, namespaceSpokenOf, type Speaker } from "./hosted-clusters.ts";
import { type Role, RULE_ROLES, roleOf } from "./role.ts";
import { userDataOwner } from "./user-data-secret.ts";

export interface GatherOptions {
  /** `--hosted-cluster`. */
  readonly hostedCluster?: string | undefined;
  /** The RenderConfig of `--config`, which the user trusts by naming it. */
  readonly config?: Resource | undefined;
}

interface Sorted {
  readonly role: Role;
  readonly resource: Resource;
}

/** Bundles sorted by namespace. An error among the findings means: render none of them. */
export function gatherBundles(resources: readonly Resource[], options: GatherOptions): Outcome<Bundle[]> {
  const findings: Finding[] = [];
  const refused: { resource: Resource; finding: Finding }[] = [];
  const sorted: Sorted[] = options.config === undefined ? [] : [{ role: "render-config", resource: options.config }];
  for (const resource of resources) {
    const role = roleOf(resource);
    if (typeof role === "string") {
      if (RULE_ROLES.has(role) && !resource.document.source.trusted) findings.push(untrusted(resource));
      else sorted.push({ role, resource });
    } else {
      const words = { message: `${describeResource(resource)} ${role.message}`, hint: role.hint };
      refused.push({ resource, finding: findingAt(role.code, resource, ["kind"], words) });
    }
  }
  const speakers = sorted.flatMap(({ role, resource }) => speak(role, resource, findings));
  const clusters = new HostedClusters(speakers, options.hostedCluster);
  findings.push(...clusters.findings());
  for (const { resource, finding } of refused) {
    // What another cluster's users wrote is that cluster's matter; an unknown kind may be a rule of any.
    if (finding.code === "unknown-kind" || clusters.ownerOf(resource) !== "other") findings.push(finding);
  }
  const wrappers = new Map<string | undefined, Sorted[]>();
  for (const entry of sorted) {
    if (entry.role !== "node-pool" && entry.role !== "node-class") continue;
    const owner = clusters.ownerOf(entry.resource);
    if (owner === "other") continue;
    if ("code" in owner) {
      findings.push(owner);
      continue;
    }
    const own = wrappers.get(owner.namespace);
    if (own === undefined) wrappers.set(owner.namespace, [entry]);
    else own.push(entry);
  }
  const value = clusters.targets().map((namespace) => {
    const outcome = bundle(namespace, sorted, wrappers.get(namespace) ?? [], clusters);
    findings.push(...outcome.findings);
    return outcome.value;
  });
  return { value, findings };
}

const SPEAKERS: Partial<Record<Role, FindingCode>> = {
  policy: "policy-invalid",
  "hosted-control-plane": "context-invalid",
  "hosted-cluster": "context-invalid",
  "render-config": "render-config-invalid",
};

function speak(role: Role, resource: Resource, findings: Finding[]): Speaker[] {
  const namespace = namespaceSpokenOf(role, resource);
  if (namespace !== undefined && HOSTED_CLUSTER_NAME.test(namespace)) return [{ namespace, resource }];
  const code = SPEAKERS[role];
  // A RenderConfig may leave it out: it is for the clusters of its folder.
  if (code === undefined || (namespace === undefined && role === "render-config")) return [];
  const path = role === "render-config" ? ["spec", "hostedCluster", "namespace"] : ["metadata", "namespace"];
  const message =
    namespace === undefined
      ? `${describeResource(resource)} has no metadata.namespace, so nobody can tell which hosted cluster it is for`
      : `${describeResource(resource)}: \`${namespace}\` is no namespace`;
  const hint = "write the hosted control plane's namespace, such as clusters-my-cluster";
  findings.push(findingAt(code, resource, path, { message, hint }));
  return [];
}

function untrusted(resource: Resource): Finding {
  const message = `${describeResource(resource)} stands outside the policy directory, where anybody who may commit a wrapper could change it`;
  return findingAt("untrusted-policy", resource, [], {
    message,
    hint: "move it to the directory given with --policy-dir",
  });
}

function bundle(
  namespace: string | undefined,
  sorted: readonly Sorted[],
  wrappers: readonly Sorted[],
  clusters: HostedClusters,
): Outcome<Bundle> {
  const findings: Finding[] = [];
  const ofCluster = (role: Role): Resource[] =>
    sorted
      .filter((entry) => entry.role === role && namespaceSpokenOf(role, entry.resource) === namespace)
      .map((entry) => entry.resource);
  const single = (found: readonly Resource[], code: FindingCode, why: string): Resource | undefined => {
    for (const extra of found.slice(1)) findings.push(alreadyGiven(extra, found[0]!, code, why));
    return found[0];
  };
  const policies = namespace === undefined ? [] : ofCluster("policy");
  for (const policy of policies) if (policy.name !== POLICY_NAME) findings.push(ignoredPolicy(policy));
  const configs = sorted
    .filter((entry) => entry.role === "render-config" && configures(entry.resource, namespace, clusters))
    .map((entry) => entry.resource);
  const userDataSecrets = new Map<string, Resource>();
  for (const { role, resource } of sorted) {
    const owner = role === "user-data" ? userDataOwner(resource) : undefined;
    if (owner === undefined || namespace === undefined || !owner.startsWith(`${namespace}/`)) continue;
    const nodeClass = owner.slice(namespace.length + 1);
    const first = userDataSecrets.get(nodeClass);
    if (first === undefined) userDataSecrets.set(nodeClass, resource);
    else
      findings.push(
        alreadyGiven(
          resource,
          first,
          "duplicate-resource",
          `two user-data Secrets are for the node class ${nodeClass}`,
        ),
      );
  }
  const value: Bundle = {
    hostedCluster: namespace,
    policy: single(
      policies.filter((policy) => policy.name === POLICY_NAME),
      "policy-duplicate",
      "a hosted cluster has one policy",
    ),
    renderConfig: single(configs, "render-config-duplicate", "a hosted cluster has one RenderConfig"),
    hostedControlPlane:
      namespace === undefined
        ? undefined
        : single(ofCluster("hosted-control-plane"), "duplicate-resource", "a namespace has one hosted control plane"),
    hostedClusterObject:
      namespace === undefined
        ? undefined
        : single(ofCluster("hosted-cluster"), "duplicate-resource", "two HostedClusters come to one namespace"),
    userDataSecrets,
    nodePools: unique(wrappers, "node-pool", findings),
    nodeClasses: unique(wrappers, "node-class", findings),
  };
  return { value, findings };
}

/** A RenderConfig without a namespace is for the clusters of its folder: the one above it, and those below. */
function configures(config: Resource, namespace: string | undefined, clusters: HostedClusters): boolean {
  const named = namespaceSpokenOf("render-config", config);
  if (named !== undefined || namespace === undefined || clusters.namespaces.length < 2)
    return named === undefined || named === namespace;
  const governing = clusters.governing(config.folder);
  return governing.has(namespace) || clusters.standsBelow(namespace, config.folder);
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

/** Gathers everything read into one bundle for each hosted cluster, and refuses slips. */
import { type Finding, findingAt, type Outcome } from "../krm/finding.ts";
import type { FindingCode } from "../krm/finding-codes.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { type StrayWrapper, strayFindings } from "./ambiguous-cluster.ts";
import type { Bundle } from "./bundle.ts";
import { bundleOf, configures, type Sorted } from "./bundle-of.ts";
import { hidingUserData } from "./hiding-user-data.ts";
import { HOSTED_CLUSTER_NAME, HostedClusters, namespaceSpokenOf, type Speaker } from "./hosted-clusters.ts";
import { wrapperIdOf } from "./applied-kinds.ts";
import { type Refusal, type Role, RULE_ROLES, roleOf } from "./role.ts";

export interface GatherOptions {
  /** `--hosted-cluster`. */
  readonly hostedCluster?: string | undefined;
  /** The RenderConfig of `--config`, which the user trusts by naming it. */
  readonly config?: Resource | undefined;
  /** Whether what HyperShift's operator made of a wrapper is its output, and no raw object: to questions only. */
  readonly outputsOfOperator?: boolean | undefined;
  /** Folders, as findings show them, that kustomize builds manifests of. */
  readonly kustomized?: ReadonlySet<string> | undefined;
}

export interface Gathered {
  /** One for each hosted cluster to render, sorted by namespace. */
  readonly bundles: readonly Bundle[];
  /** Every hosted cluster that the input names, also those that are not selected. */
  readonly named: readonly string[];
  /** Earlier output of which nobody can tell whose it is. */
  readonly strayOutput: readonly Resource[];
  /** Wrappers of which nobody can. */
  readonly strays: readonly StrayWrapper[];
  /** Whose folder is whose. */
  readonly clusters: HostedClusters;
}

/**
 * An error among the findings, or among those of a bundle, means: render none of them. Which cluster an object counts
 * for is in docs/design.md#hosted-clusters.
 */
export function gatherBundles(given: readonly Resource[], options: GatherOptions): Outcome<Gathered> {
  const findings: Finding[] = [];
  const refused: { resource: Resource; finding: Finding }[] = [];
  const sorted: Sorted[] = options.config === undefined ? [] : [{ role: "render-config", resource: options.config }];
  for (const resource of hidingUserData(given)) {
    const role = roleOf(resource, options);
    if (typeof role === "string") {
      if (RULE_ROLES.has(role) && !resource.document.source.trusted) findings.push(untrusted(resource));
      else sorted.push({ role, resource });
    } else {
      refused.push({ resource, finding: refusedAs(role, resource) });
    }
  }
  for (const { role, resource } of sorted)
    if (role === "policy" && resource.name === "") findings.push(withoutName(resource));
  const speakers = sorted.flatMap(({ role, resource }) => speak(role, resource, findings));
  const clusters = new HostedClusters(speakers, options.hostedCluster);
  findings.push(...clusters.findings());
  for (const { role, resource } of sorted)
    if (role === "render-config" && configuresNobody(resource, clusters)) findings.push(forNobody(resource, clusters));
  for (const { resource, finding } of refused) {
    // What another cluster's users wrote is that cluster's matter; an unknown kind may be a rule of any.
    if (finding.code === "unknown-kind" || clusters.ownerOf(resource) !== "other") findings.push(finding);
  }
  const owned = new Map<string | undefined, Sorted[]>();
  const strayOutput: Resource[] = [];
  const strays: StrayWrapper[] = [];
  for (const entry of sorted) {
    const isOutput = entry.role === "earlier-output" || entry.role === "operator-output";
    if (!isOutput && entry.role !== "node-pool" && entry.role !== "node-class") continue;
    const owner = isOutput ? clusters.ownerOfOutput(entry.resource) : clusters.ownerOf(entry.resource);
    if (owner === "other") continue;
    if ("among" in owner) {
      if (entry.role === "earlier-output") strayOutput.push(entry.resource);
      else if (isOutput) findings.push(...withoutWrapper([entry]));
      else strays.push({ resource: entry.resource, among: owner.among });
      continue;
    }
    const own = owned.get(owner.namespace);
    if (own === undefined) owned.set(owner.namespace, [entry]);
    else own.push(entry);
  }
  findings.push(...ambiguities(clusters, strays, speakers, options));
  const bundles = clusters.targets().map((namespace) => {
    const own = owned.get(namespace) ?? [];
    findings.push(...withoutWrapper(own));
    return bundleOf(
      namespace,
      sorted,
      own.filter((entry) => !isWithoutWrapper(entry, own)),
      clusters,
    );
  });
  return { value: { bundles, named: clusters.namespaces, strayOutput, strays, clusters }, findings };
}

/** One for each cause: what a folder of several clusters holds is no matter of its own. */
function ambiguities(
  clusters: HostedClusters,
  strays: readonly StrayWrapper[],
  speakers: readonly Speaker[],
  { kustomized = new Set() }: GatherOptions,
): Finding[] {
  const conflicts = clusters.conflicts(strays);
  const { namespaces } = clusters;
  const rulesApart = speakers.some(({ resource }) => resource.document.source.ofPolicyDir === true);
  const others = conflicts.length === 0 ? strays : strays.filter(({ among }) => among.length === 0);
  return [
    ...conflicts,
    ...strayFindings(others, { namespaces, rulesApart, kustomized, selectable: !clusters.isFleet }),
  ];
}

/** What names a wrapper that is not there is an object that no policy reaches. */
function withoutWrapper(own: readonly Sorted[]): Finding[] {
  return own.flatMap((entry) => {
    const role = isWithoutWrapper(entry, own) ? roleOf(entry.resource) : "not-ours";
    return typeof role === "string" ? [] : [refusedAs(role, entry.resource)];
  });
}

function isWithoutWrapper({ role, resource }: Sorted, own: readonly Sorted[]): boolean {
  const wrapper = wrapperIdOf(resource.kind, resource.name);
  return role === "operator-output" && !own.some(({ resource: { kind, name } }) => `${kind}/${name}` === wrapper);
}

function refusedAs({ code, message, hint }: Refusal, resource: Resource): Finding {
  return findingAt(code, resource, ["kind"], { message: `${describeResource(resource)} ${message}`, hint });
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

function configuresNobody(config: Resource, clusters: HostedClusters): boolean {
  if (namespaceSpokenOf("render-config", config) !== undefined) return false;
  return (
    !clusters.targets().some((namespace) => configures(config, namespace, clusters)) && clusters.selected === undefined
  );
}

/** What nobody follows may be the demand for a policy. */
function forNobody(config: Resource, { namespaces }: HostedClusters): Finding {
  const message = `${describeResource(config)} stands in no hosted cluster's folder: ${namespaces.join(", ")}`;
  const hint = "set its spec.hostedCluster.namespace, or move it to the folder of the cluster it is for";
  return findingAt("ambiguous-cluster", config, [], { message, hint });
}

function untrusted(resource: Resource): Finding {
  const message = `${describeResource(resource)} stands outside the policy directory, where anybody who may commit a wrapper could change it`;
  return findingAt("untrusted-policy", resource, [], {
    message,
    hint: "move it to the directory given with --policy-dir",
  });
}

function withoutName(policy: Resource): Finding {
  const message =
    "AutoNodePolicy has no metadata.name, so it would be ignored: only the one named `default` is recognised";
  return findingAt("policy-invalid", policy, ["metadata"], { message, hint: "write name: default" });
}

/** Sorts Karpenter's own objects by kind, refuses duplicates, and marks user data as secret. */
import { type Finding, findingAt, type Outcome } from "../../krm/findings/finding.ts";
import { KARPENTER_GROUP, notServed } from "../../krm/findings/known-kinds.ts";
import { describeResource, groupOf, type Resource, type SourceDocument } from "../../krm/places/resource.ts";
import { byBytes } from "../values/by-bytes.ts";
import { isNodeClass } from "./input-mode.ts";

export interface RawObjects {
  /** Sorted by name, as the node classes are. */
  readonly nodePools: readonly Resource[];
  readonly nodeClasses: readonly Resource[];
  /** In the order given; two of one name may be of different clusters. */
  readonly nodeClaims: readonly Resource[];
}

/** Other objects are left out. */
export function sortRawObjects(given: readonly Resource[]): Outcome<RawObjects> {
  const findings: Finding[] = [];
  const resources = markUserData(given).filter(({ apiVersion, kind }) => notServed(apiVersion, kind) === undefined);
  const isNodePool = ({ kind, apiVersion }: Resource) => kind === "NodePool" && groupOf(apiVersion) === KARPENTER_GROUP;
  const value = {
    nodePools: eachOnce(resources.filter(isNodePool), findings),
    nodeClasses: eachOnce(resources.filter(isNodeClass), findings),
    nodeClaims: resources.filter(isNodeClaim),
  };
  return { value, findings };
}

export function isNodeClaim({ kind, apiVersion }: Resource): boolean {
  return kind === "NodeClaim" && groupOf(apiVersion) === KARPENTER_GROUP;
}

function eachOnce(resources: readonly Resource[], findings: Finding[]): Resource[] {
  const seen = new Map<string, Resource>();
  for (const resource of resources) {
    const id = `${groupOf(resource.apiVersion)}/${resource.kind}/${resource.name}`;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, resource);
    else findings.push(givenTwice(resource, first));
  }
  return [...seen.values()].toSorted((a, b) => byBytes(a.name, b.name));
}

function givenTwice(resource: Resource, first: Resource): Finding {
  const message = `${describeResource(resource)} is given twice (first in ${first.document.source.file}), and names are unique in a cluster`;
  const hint = "remove one of the two, or read the folder of each cluster separately";
  return findingAt("duplicate-resource", resource, ["metadata", "name"], { message, hint });
}

/** The whole document is marked, because a single line may hold all its objects. */
export function markUserData(resources: readonly Resource[]): readonly Resource[] {
  const secret = new Map<SourceDocument, SourceDocument>();
  for (const { value, document } of resources) {
    const spec = value["spec"] as { userData?: unknown } | null | undefined;
    if (spec?.userData !== undefined) secret.set(document, { ...document, secret: true });
  }
  if (secret.size === 0) return resources;
  return resources.map((resource) => ({ ...resource, document: secret.get(resource.document) ?? resource.document }));
}

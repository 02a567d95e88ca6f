/** Karpenter's own objects, sorted by what they are to questions; doubles are refused. */
import { type Finding, findingAt, type Outcome } from "../krm/finding.ts";
import { KARPENTER_GROUP } from "../krm/known-kinds.ts";
import { describeResource, groupOf, type Resource } from "../krm/resource.ts";
import { byBytes } from "./by-bytes.ts";
import { hidingUserData } from "./hiding-user-data.ts";
import { isNodeClass } from "./input-mode.ts";

export interface RawObjects {
  /** By name, as the node classes. */
  readonly nodePools: readonly Resource[];
  readonly nodeClasses: readonly Resource[];
}

/** Objects of others are passed over, and NodeClaims: Karpenter makes them of its pools. */
export function sortRawObjects(given: readonly Resource[]): Outcome<RawObjects> {
  const findings: Finding[] = [];
  const resources = hidingUserData(given);
  const isPool = ({ kind, apiVersion }: Resource): boolean =>
    kind === "NodePool" && groupOf(apiVersion) === KARPENTER_GROUP;
  const value = {
    nodePools: eachOnce(resources.filter(isPool), findings),
    nodeClasses: eachOnce(resources.filter(isNodeClass), findings),
  };
  return { value, findings };
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
  const message = `${describeResource(resource)} is given twice (first in ${first.document.source.file}), and a cluster has one of the name`;
  const hint = "remove one of the two, or look at the folder of each cluster by itself";
  return findingAt("duplicate-resource", resource, ["metadata", "name"], { message, hint });
}

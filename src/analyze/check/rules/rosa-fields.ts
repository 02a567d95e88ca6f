/** Rules: node labels, tags and public addresses that ROSA refuses. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { ownEntries, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses } from "../checked-classes.ts";

const ROLES = ["master", "infra", "control-plane"].map((role) => `node-role.kubernetes.io/${role}`);

/** See docs/upstream/hypershift.md#rosa. */
export function rosaNodeRole({ pools }: ExplainedCluster): Finding[] {
  return pools
    .flatMap(ownEntries)
    .filter(({ from, requirement: { key } }) => from === "label" && ROLES.includes(key))
    .map((entry) => {
      const message = `${subjectOf(entry)}: ROSA's admission policies refuse the node label ${entry.requirement.key}`;
      const hint = "use a label of your own domain, such as example.com/role";
      return findingAt("rosa-node-role", entry.place.resource, entry.place.path, { message, hint });
    });
}

/** ROSA's admission policy checks only the field of v1beta1. */
export function rosaPublicIp(cluster: ExplainedCluster): Finding[] {
  const hint = cluster.mode !== "raw" ? "set SubnetDefault, or remove it" : "remove it";
  return checkedClasses(cluster).flatMap(({ resource, publicAddress }) => {
    if (publicAddress === undefined) return [];
    const message = `${describeResource(resource)}: ROSA allows no public addresses; its admission policy does not check this field yet`;
    return [findingAt("rosa-public-ip", publicAddress.resource, publicAddress.path, { message, hint })];
  });
}

/** The schemas of the kinds already refuse `kubernetes.io/cluster/…`. */
const TAGS = /^(red-hat-managed$|api\.openshift\.com\/)/;

/** Tags of node classes that ROSA reserves. */
export function rosaTag(cluster: ExplainedCluster): Finding[] {
  return checkedClasses(cluster).flatMap((nodeClass) =>
    nodeClass.tags
      .filter((key) => TAGS.test(key))
      .map((key) => {
        const { resource, path } = nodeClass.placeOf(["tags", key]);
        const message = `${describeResource(nodeClass.resource)}: ROSA's admission policies refuse the tag ${key}`;
        return findingAt("rosa-tag", resource, path, { message, hint: "remove it: ROSA sets its own tags" });
      }),
  );
}

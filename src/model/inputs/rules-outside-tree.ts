/** Rules found by a `*` of `--policy-dir` that would govern more than their own tree. */
import { valueAt } from "../../krm/places/field-path.ts";
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import type { Sorted } from "./make-bundle.ts";
import { type HostedClusters, namedNamespace } from "./hosted-clusters.ts";
import { mayGive, namedFolders } from "./folders.ts";
import { RULE_ROLES } from "../objects/role.ts";
import { userDataOwner } from "../objects/user-data-secret.ts";

interface Claim {
  readonly resource: Resource;
  readonly tree: string;
  readonly namespace: string | undefined;
}

/**
 * Without this check, the author of one folder that the `*` matches could loosen the rules of another hosted cluster.
 * If two folders name one cluster, their order does not decide: both are refused.
 */
export function rulesOutsideTree(sorted: readonly Sorted[], clusters: HostedClusters): Finding[] {
  const claims = sorted.flatMap(({ role, resource }): Claim[] => {
    const { tree } = resource.document.source;
    if (tree === undefined || !RULE_ROLES.has(role)) return [];
    return [{ resource, tree, namespace: namedNamespace(role, resource) ?? userDataOwner(resource)?.split("/")[0] }];
  });
  const unnamed = claims.filter(
    ({ resource, namespace }) => namespace === undefined && resource.kind === "RenderConfig",
  );
  return [
    ...[...Map.groupBy(claims, ({ namespace }) => namespace)].flatMap(([namespace, group]) =>
      namespace === undefined ? [] : ofSeveralTrees(namespace, group),
    ),
    ...claims.flatMap(({ resource }) => pathsBeyond(resource)),
    ...unnamed.flatMap(({ resource }) => (clusters.around(resource).size > 0 ? [] : [ofNoCluster(resource)])),
  ];
}

/** One finding for each of the trees. */
function ofSeveralTrees(namespace: string, claims: readonly Claim[]): Finding[] {
  const firsts = [...Map.groupBy(claims, ({ tree }) => tree).values()].map(([first]) => first!.resource);
  if (firsts.length < 2) return [];
  return firsts.map((resource, index) => {
    const other = firsts[index === 0 ? 1 : 0]!.document.source.file;
    const message = `${describeResource(resource)} is a rule for ${namespace}, and so is ${other}: each hosted cluster may have rules in only one of the folders that the * of --policy-dir matches`;
    const hint = `keep the rules for ${namespace} in its own folder, and take them out of the other one`;
    return findingAt("untrusted-policy", resource, [], { message, hint });
  });
}

function pathsBeyond(resource: Resource): Finding[] {
  return namedFolders(resource).flatMap((folder, index) => {
    if (folder === undefined || mayGive(resource, folder)) return [];
    const path = ["spec", "paths", index];
    const message = `${describeResource(resource)} names the folder ${JSON.stringify(valueAt(resource.value, path))}, which is outside the one that the * of --policy-dir matches`;
    const hint = "take it out; to govern folders elsewhere, keep the rules in a policy directory without *";
    return [findingAt("untrusted-policy", resource, path, { message, hint })];
  });
}

function ofNoCluster(resource: Resource): Finding {
  const message = `${describeResource(resource)} names no hosted cluster, and no rule in its folder does: a rule found by the * of --policy-dir is for clusters of its folder only`;
  const hint = "write spec.hostedCluster.namespace";
  return findingAt("untrusted-policy", resource, [], { message, hint });
}

/** Verifies objects that name a wrapper of HyperShift as their owner. */
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { wrapperIdOf } from "../../model/objects/applied-kinds.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import { reservedAnnotations } from "../../model/requirements/reserved-keys.ts";
import type { RenderedCluster } from "../../render/render-all.ts";
import { BUDGETS } from "../../resolve/bound-pool.ts";
import { ANNOTATIONS } from "../../resolve/reserved-keys.ts";
import { type FieldApart, fieldsApart, pathsText, renderedOf, type Standard, standardOf } from "./standard.ts";

/**
 * Any author of a file can write an owner into it. So an object of a file counts as the operator's output only if it
 * complies with the policy (docs/design.md#raw-objects-and-marks).
 *
 * @param isLive whether an object was read from a cluster
 */
export function checkOperatorOutputs(
  bundles: readonly Bundle[],
  clusters: readonly RenderedCluster[],
  isLive: (resource: Resource) => boolean,
): Finding[] {
  return bundles.flatMap(({ operatorOutput }, index) => {
    if (operatorOutput.length === 0) return [];
    const standard = standardOf(clusters[index]);
    return operatorOutput.flatMap((output) => judge(output, standard, isLive(output)) ?? []);
  });
}

function judge(output: Resource, standard: Standard | undefined, isLive: boolean): Finding | undefined {
  const wrapper = String(wrapperIdOf(output.kind, output.name)).replace("/", " ");
  const object = standard === undefined ? undefined : renderedOf(output, standard);
  if (standard === undefined || object === undefined) {
    const why = `names ${wrapper} as its owner, and it is unknown what that renders to`;
    return isLive ? undefined : unbelieved(output, ["metadata", "ownerReferences"], why);
  }
  if (output.apiVersion !== object.apiVersion && !isLive) {
    const why = `names ${wrapper} as its owner and has the apiVersion ${output.apiVersion}, but anp renders ${object.apiVersion}`;
    return unbelieved(output, ["apiVersion"], why);
  }
  const apart = fieldsApart(output, object, standard);
  const governed = isLive ? [] : apart.filter((one) => isGoverned(one.path, output.kind, standard) || isReserved(one));
  const [first] = governed;
  if (first !== undefined) {
    const why = `names ${wrapper} as its owner, but differs from what that renders to: ${pathsOf(governed)}`;
    return unbelieved(output, first.path, why);
  }
  const [other] = apart;
  if (other === undefined) return undefined;
  const message = `${describeResource(output)}, which HyperShift's operator made from ${wrapper}, differs from what anp renders: ${pathsOf(apart)}`;
  return findingAt("operator-output-differs", output, other.path, { message, hint: "anp explain shows both values" });
}

function pathsOf(apart: readonly FieldApart[]): string {
  return pathsText(apart.map(({ path }) => path));
}

/** The fields that a policy governs: requirements, labels, node class and root volume. Bounded fields are added. */
const GOVERNED: Readonly<Record<string, readonly FieldPath[]>> = {
  NodePool: [
    ["spec", "template", "spec", "requirements"],
    ["spec", "template", "metadata", "labels"],
    ["spec", "template", "spec", "nodeClassRef"],
  ],
  EC2NodeClass: [["spec", "blockDeviceMappings"]],
};

/** Without a root volume in the policy, HyperShift's own applies, which anp does not govern. */
function isGoverned(path: FieldPath, kind: string, { inputs }: Standard): boolean {
  if (kind === "EC2NodeClass" && inputs.policy.rootVolume === undefined) return false;
  const { maxExpireAfter, maxTerminationGracePeriod, minDriftedBudget } = inputs.settings.config;
  const bounded: readonly FieldPath[] =
    kind === "NodePool"
      ? [
          ...(maxExpireAfter === undefined ? [] : [["spec", "template", "spec", "expireAfter"]]),
          ...(maxTerminationGracePeriod === undefined ? [] : [["spec", "template", "spec", "terminationGracePeriod"]]),
          ...(minDriftedBudget === undefined ? [] : [BUDGETS]),
        ]
      : [];
  // Either path may contain the other.
  return [...(GOVERNED[kind] ?? []), ...bounded].some((governed) =>
    governed.every((part, index) => index >= path.length || part === path[index]),
  );
}

/** Whether the difference is in annotations of Karpenter, which can circumvent bounds. */
function isReserved({ path, here }: FieldApart): boolean {
  const key = path[ANNOTATIONS.length];
  const annotations = key === undefined ? valueAt(here, ANNOTATIONS.slice(path.length)) : { [key]: here };
  const isThere = ANNOTATIONS.every((part, index) => index >= path.length || part === path[index]);
  return isThere && reservedAnnotations(annotations).length > 0;
}

function unbelieved(output: Resource, path: FieldPath, why: string): Finding {
  const hint =
    "remove it: the operator makes it from its wrapper; --live reads what runs in a cluster, and anp explain compares it";
  return findingAt("raw-object", output, path, { message: `${describeResource(output)} ${why}`, hint });
}

/** Whether what says that HyperShift's operator made it may be believed, and where it differs. */
import type { FieldPath } from "../../krm/field-path.ts";
import { type Finding, findingAt } from "../../krm/finding.ts";
import { describeResource, type Resource } from "../../krm/resource.ts";
import { wrapperIdOf } from "../../model/applied-kinds.ts";
import type { Bundle } from "../../model/bundle.ts";
import type { RenderedCluster } from "../../render/render-all.ts";
import { BUDGETS } from "../../resolve/bound-pool.ts";
import { type FieldApart, fieldsApart, pathsText, renderedOf, type Standard, standardOf } from "./standard.ts";

/**
 * An owner is a word that whoever may commit a file may write into it: what a file holds counts for what the operator
 * made only where the policy has nothing to say against it (docs/design.md#raw-objects-and-marks).
 *
 * @param isLive whether an object is a cluster's own
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
    const why = `says that ${wrapper} owns it, and nobody can tell what that renders to`;
    return isLive ? undefined : unbelieved(output, ["metadata", "ownerReferences"], why);
  }
  if (output.apiVersion !== object.apiVersion && !isLive) {
    const why = `says that ${wrapper} owns it, is of ${output.apiVersion}, and ${object.apiVersion} is rendered`;
    return unbelieved(output, ["apiVersion"], why);
  }
  const apart = fieldsApart(output, object, standard);
  const governed = isLive ? [] : apart.filter(({ path }) => isGoverned(path, output.kind, standard));
  const [first] = governed;
  if (first !== undefined) {
    const why = `says that ${wrapper} owns it, and is not what that renders to: ${pathsOf(governed)}`;
    return unbelieved(output, first.path, why);
  }
  const [other] = apart;
  if (other === undefined) return undefined;
  const message = `${describeResource(output)}, which HyperShift's operator made of ${wrapper}, is not what anp renders of it: ${pathsOf(apart)}`;
  return findingAt("operator-output-differs", output, other.path, { message, hint: "anp explain shows both values" });
}

function pathsOf(apart: readonly FieldApart[]): string {
  return pathsText(apart.map(({ path }) => path));
}

/** What a policy has a say in: which nodes come, with which labels, of which class, and with which root volume. Bounds come on top. */
const GOVERNED: Readonly<Record<string, readonly FieldPath[]>> = {
  NodePool: [
    ["spec", "template", "spec", "requirements"],
    ["spec", "template", "metadata", "labels"],
    ["spec", "template", "spec", "nodeClassRef"],
  ],
  EC2NodeClass: [["spec", "blockDeviceMappings"]],
};

/** HyperShift has a root volume of its own, which counts where the policy names none. */
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
  // Of two paths one may hold the other.
  return [...(GOVERNED[kind] ?? []), ...bounded].some((governed) =>
    governed.every((part, index) => index >= path.length || part === path[index]),
  );
}

function unbelieved(output: Resource, path: FieldPath, why: string): Finding {
  const hint =
    "take it out: the operator makes it of its wrapper; what runs in a cluster, --live reads, and anp explain compares";
  return findingAt("raw-object", output, path, { message: `${describeResource(output)} ${why}`, hint });
}

/** Rules: kubelet settings that are unknown, refused by Karpenter, dropped by images, or absent. */
import { droppedKubelet, refusedKubelet, unreadExpressions } from "../../../karpenter/node-class/refused-kubelet.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { quotedField } from "../../../krm/places/field-path.ts";
import { nearestAmong } from "../../../krm/values/nearest-word.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { kubeletFieldNames } from "../../../model/ec2/kubelet-fields.ts";
import { memoize } from "../../../model/schema/memoize.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses, nodeClassesOf, PROVIDED_CLASS } from "../checked-classes.ts";

const nearestField = memoize(() => nearestAmong([...kubeletFieldNames()]));

/** In its own node classes Karpenter refuses them. HyperShift passes them to the kubelet. */
export function kubeletFieldUnknown(cluster: ExplainedCluster): Finding[] {
  if (cluster.mode === "raw") return [];
  return checkedClasses(cluster).flatMap(({ resource, kubelet, placeOf }) =>
    Object.keys(kubelet)
      .filter((field) => !kubeletFieldNames().has(field))
      .map((field) => {
        const place = placeOf(["kubelet", field]);
        const message = `${describeResource(resource)}: kubelet.${field} is not a setting of the kubelet and has no effect`;
        const nearest = nearestField()(field, 3);
        const hint = nearest === undefined ? "remove it" : `did you mean ${nearest}?`;
        return findingAt("kubelet-field-unknown", place.resource, place.path, { message, hint }, "key");
      }),
  );
}

/** Since Karpenter 1.15, which does not let the API server validate them. */
export function kubeletRefused(cluster: ExplainedCluster): Finding[] {
  return inNodeClasses(cluster, "node-class-invalid", refusedKubelet);
}

/** Up to Karpenter 1.14. */
export function kubeletFieldDropped(cluster: ExplainedCluster): Finding[] {
  return inNodeClasses(cluster, "kubelet-field-dropped", droppedKubelet);
}

/** Since Karpenter 1.15, with its gate. */
export function kubeletExpressionUnread(cluster: ExplainedCluster): Finding[] {
  return inNodeClasses(cluster, "kubelet-expression-unread", unreadExpressions);
}

function inNodeClasses(
  { mode, provider, bundle, inputs, knownTypes }: ExplainedCluster,
  code: "node-class-invalid" | "kubelet-field-dropped" | "kubelet-expression-unread",
  settingsOf: typeof refusedKubelet,
): Finding[] {
  if (mode !== "raw" || provider.name !== "aws") return [];
  const { profile, karpenter } = inputs.settings;
  const judge = { profile, karpenter, catalogue: knownTypes.filter.catalogue };
  return bundle.nodeClasses.flatMap((resource) =>
    settingsOf(resource.value, judge).map(({ path, message, hint }) => {
      const words = `${describeResource(resource)}: ${quotedField(path)} ${message}`;
      return findingAt(code, resource, path, { message: words, hint });
    }),
  );
}

/**
 * OpenShift's own Karpenter plans with the number that its nodes have
 * (docs/upstream/hypershift.md#resources-of-a-node); upstream's estimates it from the network interfaces. Users cannot
 * set it on the operator's own class.
 */
export function maxPodsUnset(cluster: ExplainedCluster): Finding[] {
  if (cluster.inputs.settings.profile === "hypershift") return [];
  return nodeClassesOf(cluster).flatMap(({ wrapper, spec }) => {
    if (wrapper.name === PROVIDED_CLASS || spec.kubelet?.maxPods !== undefined) return [];
    const message = `${describeResource(wrapper)} sets no kubelet.maxPods: Karpenter plans with as many pods as the network interfaces have addresses, and OpenShift runs 250`;
    return [findingAt("max-pods-unset", wrapper, ["spec", "kubelet"], { message, hint: "set kubelet.maxPods: 250" })];
  });
}

/** Rules: kubelet settings that no kubelet has, that Karpenter refuses, or that images drop. */
import { droppedKubelet, refusedKubelet } from "../../../karpenter/node-class/refused-kubelet.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { quotedField } from "../../../krm/places/field-path.ts";
import { nearestAmong } from "../../../krm/values/nearest-word.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { kubeletFieldNames } from "../../../model/ec2/kubelet-fields.ts";
import { memoize } from "../../../model/schema/memoize.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses } from "../checked-classes.ts";

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

function inNodeClasses(
  { mode, provider, bundle, inputs }: ExplainedCluster,
  code: "node-class-invalid" | "kubelet-field-dropped",
  settingsOf: typeof refusedKubelet,
): Finding[] {
  if (mode !== "raw" || provider.name !== "aws") return [];
  return bundle.nodeClasses.flatMap((resource) =>
    settingsOf(resource.value, inputs.settings.profile).map(({ path, message, hint }) => {
      const words = `${describeResource(resource)}: ${quotedField(path)} ${message}`;
      return findingAt(code, resource, path, { message: words, hint });
    }),
  );
}

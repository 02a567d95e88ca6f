/** Rules: kubelet settings that no kubelet has, and those that the images of a class drop. */
import { droppedKubelet } from "../../../karpenter/node-class/refused-kubelet.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { quotedField } from "../../../krm/places/field-path.ts";
import { nearestAmong } from "../../../krm/values/nearest-word.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { kubeletFieldNames } from "../../../model/ec2/kubelet.ts";
import { memoize } from "../../../model/schema/memoize.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses } from "../checked-classes.ts";

const nearestField = memoize(() => nearestAmong([...kubeletFieldNames()]));

/** Karpenter refuses them in its own node classes, which reading reports. HyperShift passes them to the kubelet. */
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

/** From 1.15 on Karpenter refuses the class instead, which reading reports. */
export function kubeletFieldDropped({ mode, provider, bundle, inputs }: ExplainedCluster): Finding[] {
  if (mode !== "raw" || provider.name !== "aws") return [];
  return bundle.nodeClasses.flatMap((resource) =>
    droppedKubelet(resource.value, inputs.settings.profile).map(({ path, message, hint }) => {
      const words = `${describeResource(resource)}: ${quotedField(path)} ${message}`;
      return findingAt("kubelet-field-dropped", resource, path, { message: words, hint }, "key");
    }),
  );
}

/** Pods and workloads among objects, and the PodDisruptionBudgets that select their pods. */
import { selects } from "../../karpenter/scheduling/label-selector.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { podSpecPath } from "../../model/objects/pod.ts";

/** A pod, or an object that makes pods. */
export interface PodMaker {
  readonly resource: Resource;
  /** The path of the pod's metadata and spec. */
  readonly template: FieldPath;
}

export function podMakersAmong(objects: readonly Resource[]): PodMaker[] {
  return objects.flatMap((resource): PodMaker[] => {
    const path = podSpecPath(resource);
    return path === undefined ? [] : [{ resource, template: path.slice(0, -1) }];
  });
}

/** A manifest without a namespace may be applied to any. */
export function isHeldBy({ resource, template }: PodMaker, { value }: Resource): boolean {
  const namespaces = [value, resource.value].map((one) => textAt(one, ["metadata", "namespace"]));
  const isSame = namespaces.includes(undefined) || namespaces[0] === namespaces[1];
  const labels = textsAt(resource.value, [...template, "metadata", "labels"]);
  return isSame && selects(valueAt(value, ["spec", "selector"]), labels);
}

/** Adds the fields of a wrapper that the rendered object does not show. */
import { type Fields, isFields } from "../../krm/values/fields.ts";
import { type FieldPath, valueAt, formatFieldPath } from "../../krm/places/field-path.ts";
import { type KubeObject, idOf } from "../../model/objects/kube-object.ts";
import type { ClusterPair, SideObject } from "./sides.ts";
import { changedFields } from "./compare-fields.ts";
import { compareValues } from "./compare-values.ts";

/**
 * These fields affect nodes or limits, although the rendered object lacks them:
 *
 * - `version` is resolved to a release, which decides the images and the node's configuration;
 * - `kubelet` becomes a KubeletConfig as text. Both are hashed into the user data's
 *   TargetConfigVersionHash, the one header of it that drifts nodes (openshift/hypershift,
 *   karpenterignition_controller.go, hypershift-operator/controllers/nodepool/config.go);
 * - `nodeLimitMode` says how `anp watch` keeps a pool within its limit.
 */
export function withWrapperFields(object: KubeObject, wrapper: unknown): KubeObject {
  const spec = { ...object.spec, ...FIELDS[object.kind]?.(fieldsAt(wrapper, ["spec"]), object.spec) };
  return { ...object, spec };
}

/**
 * The same for a live object, which may lag behind its wrapper. Its own fields win, because Karpenter compares nodes
 * with those.
 */
export function withLiveWrapperFields(object: KubeObject, wrapper: unknown): KubeObject {
  const spec = fieldsAt(wrapper, ["spec"]);
  const kubelet = { ...fieldsAt(spec, ["kubelet"]), ...fieldsAt(object.spec, ["kubelet"]) };
  return withWrapperFields(object, { spec: { ...spec, kubelet } });
}

const FIELDS: Readonly<Record<string, (wrapper: Fields, spec: Fields) => Fields>> = {
  EC2NodeClass: ({ version, kubelet }) => ({ version, kubelet: kubeletConfig(kubelet) }),
  NodePool: ({ disruption: given }, { disruption }) => {
    const nodeLimitMode = valueAt(given, ["nodeLimitMode"]);
    return nodeLimitMode === undefined ? {} : { disruption: { ...fieldsAt(disruption, []), nodeLimitMode } };
  },
};

/**
 * An empty kubelet makes no KubeletConfig. Its taints are overwritten with Karpenter's, but still make a KubeletConfig.
 */
function kubeletConfig(kubelet: unknown): Fields | undefined {
  const { registerWithTaints, ...rest } = fieldsAt(kubelet, []);
  return registerWithTaints === undefined && Object.keys(rest).length === 0 ? undefined : rest;
}

function fieldsAt(object: unknown, path: FieldPath): Fields {
  const value = valueAt(object, path);
  return isFields(value) ? value : {};
}

/** One note for each object. */
export function unseenFields(pairs: readonly ClusterPair[]): string[] {
  return pairs.flatMap(({ old, now }) => {
    const before = new Map(old.objects.map((one) => [idOf(one.object), one]));
    return now.objects.flatMap((one) => {
      const other = before.get(idOf(one.object));
      return other === undefined ? [] : noteOf(one, other);
    });
  });
}

function noteOf(one: SideObject, other: SideObject): string[] {
  if ((one.written === undefined) === (other.written === undefined)) return [];
  const { object, written } = one.written === undefined ? other : one;
  const fields = changedFields(compareValues(object, written, object.kind));
  if (fields.length === 0) return [];
  const paths = fields.map(({ newPath, oldPath }) => formatFieldPath(newPath ?? oldPath ?? [])).join(", ");
  const { kind, metadata } = object;
  const worst = kind === "EC2NodeClass" ? ", which may replace all nodes" : "";
  const unknown = `it is unknown whether ${paths} ${fields.length === 1 ? "changes" : "change"}${worst}`;
  return [`${kind} ${metadata.name}: only one side has the wrapper, so ${unknown}`];
}

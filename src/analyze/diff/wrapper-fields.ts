/** What a wrapper says and the object rendered of it does not show. */
import { type Fields, isFields } from "../../karpenter/conversion/plain-fields.ts";
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";

/**
 * Nodes are made of more than their EC2NodeClass, or are counted otherwise:
 *
 * - `version` is resolved to a release, which decides the images and the node's configuration;
 * - `kubelet`, typed or not, becomes a KubeletConfig, text by text. Both are hashed into the user data's
 *   TargetConfigVersionHash, the one header of it that drifts nodes (openshift/hypershift,
 *   karpenterignition_controller.go, hypershift-operator/controllers/nodepool/config.go);
 * - `nodeLimitMode` says how `anp watch` keeps a pool within its limit.
 */
export function withWrapperFields(object: KubeObject, wrapper: unknown): KubeObject {
  const spec = { ...object.spec, ...FIELDS[object.kind]?.(fieldsAt(wrapper, ["spec"]), object.spec) };
  return { ...object, spec };
}

/** The same of a live object, which may lag behind its wrapper: what it has itself is what nodes are compared with. */
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

/** An empty one is none; taints of its own are overwritten with Karpenter's, but make a KubeletConfig all the same. */
function kubeletConfig(kubelet: unknown): Fields | undefined {
  const { registerWithTaints, ...rest } = fieldsAt(kubelet, []);
  return registerWithTaints === undefined && Object.keys(rest).length === 0 ? undefined : rest;
}

function fieldsAt(object: unknown, path: FieldPath): Fields {
  const value = valueAt(object, path);
  return isFields(value) ? value : {};
}

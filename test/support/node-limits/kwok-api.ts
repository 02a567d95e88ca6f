/** A guest cluster with Karpenter's kwok provider: a ClusterApi that translates references to node classes. */
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import type { LiveObject } from "../../../src/cluster/api/live-object.ts";
import { forKwok } from "../karpenter/pools.ts";

/** The reference in wrappers. */
export const AWS_NODE_CLASS = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };

/** Kwok ignores pools of other providers: replaces the reference in requests, and restores it in answers. */
export function kwokApi(api: ClusterApi): ClusterApi {
  return {
    ...api,
    list: async (collection, options) => {
      const answer = await api.list(collection, options);
      if (!answer.ok) return answer;
      return { ...answer, value: { ...answer.value, items: answer.value.items.map(forAws) } };
    },
    apply: async (collection, object, options) => {
      const there = object.kind === "NodePool" ? forKwok(object) : object;
      const answer = await api.apply(collection, there as typeof object, options);
      return answer.ok ? { ...answer, value: forAws(answer.value) } : answer;
    },
    replaceSpec: async (collection, identity, spec, options) => {
      const there = collection.kind === "NodePool" ? (forKwok({ spec: { ...spec } }).spec ?? {}) : spec;
      const answer = await api.replaceSpec(collection, identity, there, options);
      return answer.ok ? { ...answer, value: forAws(answer.value) } : answer;
    },
  };
}

function forAws(object: LiveObject): LiveObject {
  if (object.kind !== "NodePool") return object;
  const copy = structuredClone(object) as LiveObject & { spec: { template: { spec: object } } };
  copy.spec.template.spec = { ...copy.spec.template.spec, nodeClassRef: AWS_NODE_CLASS };
  return copy;
}

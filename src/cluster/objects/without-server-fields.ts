/** What people write of an object: no status, no bookkeeping, nothing of Karpenter's own. */
import type { KubeObject } from "../../model/kube-object.ts";
import type { LiveObject } from "../api/live-object.ts";

/** Written by Karpenter and kubectl, not by whoever applies (docs/upstream/hosts.md#what-others-write). */
const OF_OTHERS = [
  /^karpenter\.sh\/nodepool-hash/,
  /^karpenter\.sh\/stored-version-migrated$/,
  /^karpenter\.k8s\.aws\/ec2nodeclass-hash/,
  /^compatibility\.karpenter\./,
  /^kubectl\.kubernetes\.io\/last-applied-configuration$/,
];

export function withoutServerFields({ apiVersion, kind, metadata, spec }: LiveObject): KubeObject {
  const { name, labels, annotations } = metadata;
  const own = Object.entries(annotations ?? {}).filter(([key]) => !OF_OTHERS.some((pattern) => pattern.test(key)));
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(labels === undefined ? {} : { labels }),
      ...(own.length === 0 ? {} : { annotations: Object.fromEntries(own) }),
    },
    spec: spec ?? {},
  };
}

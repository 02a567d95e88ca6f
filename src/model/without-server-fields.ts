/** Reduces an object to what users write: no status, no server fields, no annotations of tools. */
import { isLastAppliedAnnotation } from "./last-applied-annotations.ts";
import type { KubeObject } from "./kube-object.ts";

/** Written by Karpenter and kubectl, not by users (docs/upstream/hosts.md#what-others-write). */
const OF_OTHERS = [
  /^karpenter\.sh\/nodepool-hash/,
  /^karpenter\.sh\/stored-version-migrated$/,
  /^karpenter\.k8s\.aws\/ec2nodeclass-hash/,
  /^compatibility\.karpenter\./,
];

/** An object of a cluster, or of a dump of one. */
type Stored = Omit<KubeObject, "spec"> & Partial<KubeObject>;

export function withoutServerFields({ apiVersion, kind, metadata, spec }: Stored): KubeObject {
  const { name, labels, annotations } = metadata;
  const isOwn = (key: string): boolean =>
    !isLastAppliedAnnotation(key) && !OF_OTHERS.some((pattern) => pattern.test(key));
  const own = Object.entries(annotations ?? {}).filter(([key]) => isOwn(key));
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

/** Reduces an object to what users write: no status, no server fields, no annotations of tools. */
import type { KubeObject } from "./kube-object.ts";

const COPIES = [
  /^kubectl\.kubernetes\.io\/last-applied-configuration$/,
  /^kapp\.k14s\.io\/original$/,
  // Compressed, so its content cannot be inspected.
  /^objectset\.rio\.cattle\.io\/applied$/,
];

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

/** Annotations in which tools keep the whole object as they applied it, including secrets. */
export function isLastAppliedAnnotation(annotation: string): boolean {
  return COPIES.some((pattern) => pattern.test(annotation));
}

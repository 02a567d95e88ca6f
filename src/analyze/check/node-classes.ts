/** The node classes of a hosted cluster that can be read, and those that its pools refer to. */
import { valueAt } from "../../krm/field-path.ts";
import type { NodeClassWrapper } from "../../resolve/read-node-class.ts";
import type { ExplainedCluster } from "../explain/explain.ts";

/**
 * HyperShift's operator makes it in every hosted cluster, and writes it anew in every loop
 * (docs/upstream/hypershift.md#the-default-class).
 */
export const PROVIDED_CLASS = "default";

/** The names of classes that exist without a manifest. */
export function providedClasses({ mode, provider }: ExplainedCluster): readonly string[] {
  // EKS Auto Mode with its built-in pools has one too (docs/upstream/karpenter.md#eks-auto-mode).
  return mode === "hosted" || provider.name === "eks-auto" ? [PROVIDED_CLASS] : [];
}

/** Invalid ones are left out, because rendering reports them. */
export function nodeClassesOf({ nodeClasses }: ExplainedCluster): readonly NodeClassWrapper[] {
  return nodeClasses.flatMap(({ value }) => value ?? []);
}

/** The names of classes that pools refer to, including invalid pools. */
export function referredClasses({ bundle }: ExplainedCluster): ReadonlySet<string> {
  const names = bundle.nodePools.map((wrapper) =>
    valueAt(wrapper.value, ["spec", "template", "spec", "nodeClassRef", "name"]),
  );
  return new Set(names.map((name) => (typeof name === "string" ? name : PROVIDED_CLASS)));
}

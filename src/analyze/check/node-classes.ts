/** The node classes of a hosted cluster that can be read, and those that its pools refer to. */
import { valueAt } from "../../krm/field-path.ts";
import type { NodeClassWrapper } from "../../resolve/read-node-class.ts";
import type { ExplainedCluster } from "../explain/explain.ts";

/**
 * HyperShift's operator makes it in every hosted cluster, and writes it anew in every loop
 * (docs/upstream/hypershift.md#the-default-class).
 */
export const PROVIDED_CLASS = "default";

/** The names of those that are there without anybody's manifest. */
export function providedClasses({ mode, provider }: ExplainedCluster): readonly string[] {
  // Of EKS Auto Mode with its built-in pools as well (docs/upstream/karpenter.md#eks-auto-mode).
  return mode === "hosted" || provider.name === "eks-auto" ? [PROVIDED_CLASS] : [];
}

/** An invalid one is left out: its findings are rendering's. */
export function nodeClassesOf({ nodeClasses }: ExplainedCluster): readonly NodeClassWrapper[] {
  return nodeClasses.flatMap(({ value }) => value ?? []);
}

/** What pools refer to, invalid ones too. */
export function referredClasses({ bundle }: ExplainedCluster): ReadonlySet<string> {
  const names = bundle.nodePools.map((wrapper) =>
    valueAt(wrapper.value, ["spec", "template", "spec", "nodeClassRef", "name"]),
  );
  return new Set(names.map((name) => (typeof name === "string" ? name : PROVIDED_CLASS)));
}

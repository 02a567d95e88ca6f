/** The instance sizes that ROSA's admission policies refuse, and vCPUs and names for its rules. */
import type { ExplainedCluster } from "../explain/explain.ts";

const REFUSED = /\.(nano|micro|small|medium|large)$/;

/** See docs/upstream/hypershift.md#rosa. */
export function isRefusedSize(instanceType: string): boolean {
  return REFUSED.test(instanceType);
}

/** The values that ROSA's admission policy for NodePools refuses. It checks only In entries of this key. */
export function refusedValues(key: string, complement: boolean, values: Iterable<string>): string[] {
  return key === "node.kubernetes.io/instance-type" && !complement ? [...values].filter(isRefusedSize) : [];
}

/** By name; empty if the catalogue has no vCPUs. */
export function vcpusOf({ knownTypes }: ExplainedCluster): ReadonlyMap<string, number> {
  const { names, labels } = knownTypes.filter.catalogue;
  const column = labels.get("karpenter.k8s.aws/instance-cpu");
  if (column === undefined) return new Map();
  return new Map(
    names.flatMap((name, type): [string, number][] => {
      const [value] = column.sets[column.of[type]!]?.values ?? [];
      return value === undefined ? [] : [[name, Number(value)]];
    }),
  );
}

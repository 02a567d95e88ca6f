/** Providers of whose instance types anp knows nothing: only what every Karpenter does holds. */
import { oncePer } from "../../model/once.ts";
import { CORE_LABELS } from "../../model/labels.ts";
import type { Provider } from "./provider.ts";

interface OtherProvider {
  readonly title: string;
  readonly kinds: readonly string[];
  /** Beside its API group. */
  readonly domains?: readonly string[];
  /** It plays other providers, so that its labels stand in pools of theirs. */
  readonly simulates?: true;
}

/** By API group (docs/upstream/karpenter.md#providers). */
const OTHERS: Readonly<Record<string, OtherProvider>> = {
  "karpenter.azure.com": { title: "Karpenter on Azure", kinds: ["AKSNodeClass"], domains: ["kubernetes.azure.com"] },
  "karpenter.k8s.gcp": { title: "Karpenter on Google Cloud", kinds: ["GCENodeClass"] },
  "karpenter.k8s.alibabacloud": { title: "Karpenter on Alibaba Cloud", kinds: ["ECSNodeClass"] },
  "karpenter.cluster.x-k8s.io": { title: "Karpenter with Cluster API", kinds: ["ClusterAPINodeClass"] },
  "karpenter.kwok.sh": { title: "Karpenter with kwok", kinds: ["KWOKNodeClass"], simulates: true },
};

/** The API groups of those that anp knows by name. */
export const OTHER_GROUPS: readonly string[] = Object.keys(OTHERS);

/** @param group of the node class */
export const otherProvider = oncePer((group: string): Provider => {
  const known = Object.hasOwn(OTHERS, group) ? OTHERS[group] : undefined;
  const prefixes = [group, ...(known?.domains ?? [])].map((domain) => `${domain}/`);
  return {
    name: group,
    title: known?.title ?? `the Karpenter of ${group}`,
    group,
    kinds: known?.kinds,
    prefixes: known?.simulates === true ? [] : prefixes,
    labels: { wellKnown: new LabelsBelow(CORE_LABELS, prefixes), optional: new LabelsBelow(SOME, prefixes) },
    // A catalogue of somebody's own may be of any provider.
    typesOf: (catalogue) => (catalogue.shipped ? undefined : catalogue),
    demandsOf: () => [],
  };
});

/** Core's own that an instance type may lack. */
const SOME = ["node.kubernetes.io/windows-build"];

/** Nobody here knows a provider's labels by name; those below its domains are its own, and some types may lack them. */
class LabelsBelow extends Set<string> {
  readonly #prefixes: readonly string[];

  constructor(labels: readonly string[], prefixes: readonly string[]) {
    super(labels);
    this.#prefixes = prefixes;
  }

  override has(key: string): boolean {
    return super.has(key) || this.#prefixes.some((prefix) => key.startsWith(prefix));
  }
}

/** Describes providers with unknown instance types, for which only Karpenter's core rules apply. */
import { memoizeByKey } from "../../model/schema/memoize.ts";
import { CORE_LABELS } from "../../model/requirements/labels.ts";
import type { Provider } from "./provider.ts";

interface OtherProvider {
  readonly title: string;
  readonly kinds: readonly string[];
  /** Domains of its labels, in addition to its API group. */
  readonly domains?: readonly string[];
  /** It simulates other providers, so pools for it have their labels. */
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

/** The API groups of the providers in the table. */
export const OTHER_GROUPS: readonly string[] = Object.keys(OTHERS);

/** @param group of the node class */
export const otherProvider = memoizeByKey((group: string): Provider => {
  const known = Object.hasOwn(OTHERS, group) ? OTHERS[group] : undefined;
  const prefixes = [group, ...(known?.domains ?? [])].map((domain) => `${domain}/`);
  return {
    name: group,
    title: known?.title ?? `the Karpenter of ${group}`,
    group,
    kinds: known?.kinds,
    prefixes: known?.simulates === true ? [] : prefixes,
    labels: { wellKnown: new LabelsBelow(CORE_LABELS, prefixes), optional: new LabelsBelow(SOME, prefixes) },
    // A catalogue given by the user may be of any provider.
    typesOf: (catalogue) => (catalogue.shipped ? undefined : catalogue),
    classRequirements: () => [],
  };
});

/** Labels of Karpenter's core that an instance type may lack. */
const SOME = ["node.kubernetes.io/windows-build"];

/** Labels of an unknown provider: all labels of its domains count as its own, and as optional. */
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

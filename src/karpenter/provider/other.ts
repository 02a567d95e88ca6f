/** Describes providers with unknown instance types, for which only Karpenter's core rules apply. */
import { memoizeByKey } from "../../model/schema/memoize.ts";
import { CORE_LABELS } from "../../model/requirements/labels.ts";
import type { Provider } from "./provider.ts";

interface OtherProvider {
  readonly title: string;
  readonly kinds: readonly string[];
  /** Domains of its labels, in addition to its API group. */
  readonly domains?: readonly string[];
  /** The well-known labels of its instance types; undefined if anp does not list them. */
  readonly labels?: {
    /** Names below its API group. */
    readonly own: readonly string[];
    readonly others?: readonly string[];
    /** Keys of both that an instance type may lack. */
    readonly optional?: readonly string[];
  };
  /** It simulates other providers, so pools for it have their labels. */
  readonly simulates?: true;
}

const AZURE = "karpenter.azure.com";
const AKS = "kubernetes.azure.com";

const sku = (name: string): string => `sku-${name}`;
const words = (text: string): readonly string[] => text.split(" ");

/** By API group (docs/upstream/karpenter.md#providers, docs/upstream/karpenter.md#labels-of-other-providers). */
const OTHERS: Readonly<Record<string, OtherProvider>> = {
  [AZURE]: {
    title: "Karpenter on Azure",
    kinds: ["AKSNodeClass"],
    domains: [AKS],
    labels: {
      own: [
        "placement-scope",
        ...words(
          "name family series version cpu memory gpu-count gpu-name gpu-manufacturer networking-accelerated",
        ).map(sku),
        ...words("storage-premium-capable storage-ephemeralos-maxsize storage-ultra-ssd").map(sku),
      ],
      others: words("sku-cpu sku-memory cluster mode scalesetpriority priority os-sku fips_enabled").map(
        (name) => `${AKS}/${name}`,
      ),
      optional: [
        ...words("gpu-name gpu-manufacturer storage-ephemeralos-maxsize").map((name) => `${AZURE}/${sku(name)}`),
        `${AKS}/fips_enabled`,
      ],
    },
  },
  "karpenter.k8s.gcp": { title: "Karpenter on Google Cloud", kinds: ["GCENodeClass"] },
  "karpenter.k8s.alibabacloud": { title: "Karpenter on Alibaba Cloud", kinds: ["ECSNodeClass"] },
  "karpenter.cluster.x-k8s.io": { title: "Karpenter with Cluster API", kinds: ["ClusterAPINodeClass"] },
  "karpenter.kwok.sh": {
    title: "Karpenter with kwok",
    kinds: ["KWOKNodeClass"],
    labels: { own: words("instance-size instance-family instance-cpu instance-memory") },
    simulates: true,
  },
};

/** The API groups of the providers in the table. */
export const OTHER_GROUPS: readonly string[] = Object.keys(OTHERS);

/** @param group of the node class */
export const otherProvider = memoizeByKey((group: string): Provider => {
  const known = Object.hasOwn(OTHERS, group) ? OTHERS[group] : undefined;
  const prefixes = [group, ...(known?.domains ?? [])].map((domain) => `${domain}/`);
  const { own = [], others = [], optional = [] } = known?.labels ?? {};
  const listed = new Set([...CORE_LABELS, ...own.map((name) => `${group}/${name}`), ...others]);
  const isBelow = (key: string): boolean => prefixes.some((prefix) => key.startsWith(prefix));
  return {
    name: group,
    title: known?.title ?? `the Karpenter of ${group}`,
    group,
    kinds: known?.kinds,
    prefixes: known?.simulates === true ? [] : prefixes,
    labels: {
      wellKnown: new LabelsBelow(listed, isBelow),
      optional: new Set([...SOME, ...optional]),
      unlisted: { has: (key) => !listed.has(key) && isBelow(key) },
    },
    // A catalogue given by the user may be of any provider.
    typesOf: (catalogue) => (catalogue.shipped ? undefined : catalogue),
    classRequirements: () => [],
  };
});

/** Labels of Karpenter's core that an instance type may lack. */
const SOME = ["node.kubernetes.io/windows-build"];

/** All labels of the provider's domains count as its own. */
class LabelsBelow extends Set<string> {
  readonly #isBelow: (key: string) => boolean;

  constructor(labels: ReadonlySet<string>, isBelow: (key: string) => boolean) {
    super(labels);
    this.#isBelow = isBelow;
  }

  override has(key: string): boolean {
    return super.has(key) || this.#isBelow(key);
  }
}

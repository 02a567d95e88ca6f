/** Counts the pods that a topology term selects by domain, and finds the domains it allows. */
import { has, type Requirement } from "../requirements/requirement.ts";
import { compatible, type Requirements } from "../requirements/requirements.ts";
import { type Labels, selects } from "../scheduling/label-selector.ts";
import { type Taint, untolerated } from "../scheduling/taints.ts";
import type { Stage } from "./pod-shape.ts";
import { oddOnes, selectorIdentity, type TopologyTerm } from "./topology-term.ts";

export const HOSTNAME = "kubernetes.io/hostname";

/** Puts domains that are sorted by name into the order in which they are preferred. */
export type TieOrder = (sorted: readonly string[]) => readonly string[];

interface Selected {
  readonly namespace: string;
  readonly labels: Labels;
}

/** The domains that a term allows. */
export interface Allowed {
  /** Empty if there is none. */
  readonly domains: readonly string[];
  /** Others that Karpenter may take instead, because it walks a map in random order. */
  readonly instead: readonly string[];
}

const NONE: Allowed = { domains: [], instead: [] };

/**
 * `Hash` of a group (topologygroup.go). Groups of one hash are one group, whose first pod decides the rest. Of the node
 * filter only the keys count, because the values of a requirement are not exported.
 */
export function groupIdentity(term: TopologyTerm, { selected, tolerations }: Stage): string {
  const { type, key, namespaces, maxSkew, selector, honorsTaints, honorsAffinity } = term;
  const filter =
    type === "spread"
      ? [
          oddOnes(selected.map((requirements) => JSON.stringify([...requirements.keys()].toSorted()))),
          honorsTaints,
          honorsAffinity,
          oddOnes(
            tolerations.map(({ key: of = "", operator = "", value = "", effect = "", ...more }) =>
              JSON.stringify([of, operator, value, effect, more["tolerationSeconds"] ?? null]),
            ),
          ),
        ]
      : [];
  return JSON.stringify([type, key, namespaces, maxSkew, selectorIdentity(selector), filter]);
}

export class TopologyGroup {
  readonly term: TopologyTerm;
  /** By domain, the pods that count there. */
  readonly domains = new Map<string, number>();
  readonly #empty = new Set<string>();
  readonly #selected: readonly Requirements[];
  readonly #tolerations: Stage["tolerations"];
  readonly #namespaces: ReadonlySet<string>;
  readonly #matched = new WeakMap<Requirements, boolean>();
  /** The number of domains with as many pods, so that the minimum of all domains needs no walk. */
  readonly #sizes = new Map<number, number>();
  #least = 0;

  readonly #tieOrder: TieOrder;

  constructor(
    term: TopologyTerm,
    { selected, tolerations }: Stage,
    domains: Iterable<string>,
    tieOrder: TieOrder = (sorted) => sorted,
  ) {
    this.term = term;
    this.#tieOrder = tieOrder;
    this.#selected = selected;
    this.#tolerations = tolerations;
    this.#namespaces = new Set(term.namespaces);
    for (const domain of domains) this.register(domain);
  }

  register(domain: string): void {
    if (this.domains.has(domain)) return;
    this.domains.set(domain, 0);
    this.#empty.add(domain);
    this.#sizes.set(0, (this.#sizes.get(0) ?? 0) + 1);
    this.#least = 0;
  }

  record(domain: string): void {
    const count = this.domains.get(domain);
    this.domains.set(domain, (count ?? 0) + 1);
    this.#empty.delete(domain);
    if (count !== undefined) this.#sizes.set(count, this.#sizes.get(count)! - 1);
    const next = (count ?? 0) + 1;
    this.#sizes.set(next, (this.#sizes.get(next) ?? 0) + 1);
    if (this.domains.size === 1) this.#least = next;
    else if (count === undefined) this.#least = Math.min(this.#least, next);
    while ((this.#sizes.get(this.#least) ?? 0) === 0) this.#least++;
  }

  selects({ namespace, labels }: Selected): boolean {
    return this.#namespaces.has(namespace) && selects(this.term.selector, labels);
  }

  /** Whether pods on such a node count (`TopologyNodeFilter`); the node's own labels have to be known. */
  counts(taints: readonly Taint[], requirements: Requirements): boolean {
    const { type, honorsAffinity, honorsTaints } = this.term;
    if (type !== "spread") return true;
    if (honorsTaints && untolerated(taints, this.#tolerations).length > 0) return false;
    if (!honorsAffinity) return true;
    const known = this.#matched.get(requirements);
    if (known !== undefined) return known;
    const made = this.#selected.some((one) => compatible(requirements, one, NO_KEYS) === undefined);
    this.#matched.set(requirements, made);
    return made;
  }

  /**
   * @param ofPod what the pod strictly requires of the key; undefined for anything
   * @param ofNode the same of the node
   * @param host the name of the node, which is its only domain if the key is the host name
   */
  allowed(pod: Selected, ofPod: Requirement | undefined, ofNode: Requirement | undefined, host: string): Allowed {
    switch (this.term.type) {
      case "spread":
        return this.#nextOfSpread(this.selects(pod), ofPod, ofNode, host);
      case "affinity":
        return this.#nextOfAffinity(pod, ofPod, ofNode, host);
      case "anti-affinity":
        return this.#nextOfAntiAffinity(ofPod, ofNode, host);
    }
  }

  /** Whether a refusal for this node lasts: the pods of a domain only become more. */
  get isLasting(): boolean {
    const { type, key } = this.term;
    return type === "anti-affinity" || (type === "spread" && key === HOSTNAME);
  }

  /** `nextDomainTopologySpread`. Of domains with equally few pods the first by name is taken. */
  #nextOfSpread(own: boolean, ofPod: Requirement | undefined, ofNode: Requirement | undefined, host: string): Allowed {
    const { key, maxSkew } = this.term;
    const more = own ? 1 : 0;
    if (key === HOSTNAME)
      return (this.domains.get(host) ?? 0) + more <= maxSkew ? { domains: [host], instead: [] } : NONE;
    const least = this.#leastOf(ofPod);
    let fewest = Infinity;
    let found: string[] = [];
    for (const domain of this.#candidates(ofNode)) {
      const count = (this.domains.get(domain) ?? Infinity) + more;
      if (count - least > maxSkew || count > fewest) continue;
      if (count < fewest) found = [];
      fewest = count;
      found.push(domain);
    }
    if (found.length === 0) return NONE;
    const [first, ...instead] = this.#tieOrder(found.toSorted());
    return first === undefined ? NONE : { domains: [first], instead };
  }

  /** `domainMinCount`. */
  #leastOf(ofPod: Requirement | undefined): number {
    const { minDomains } = this.term;
    if (ofPod === undefined) return minDomains !== undefined && this.domains.size < minDomains ? 0 : this.#least;
    let least = Infinity;
    let supported = 0;
    for (const domain of this.#candidates(ofPod)) {
      const count = this.domains.get(domain);
      if (count === undefined) continue;
      supported++;
      least = Math.min(least, count);
    }
    if (minDomains !== undefined && supported < minDomains) return 0;
    return least === Infinity ? EVERY : least;
  }

  #candidates(requirement: Requirement | undefined): Iterable<string> {
    if (requirement === undefined) return this.domains.keys();
    if (!requirement.complement) return requirement.values;
    return [...this.domains.keys()].filter((domain) => has(requirement, domain));
  }

  /** `nextDomainAffinity`. */
  #nextOfAffinity(
    pod: Selected,
    ofPod: Requirement | undefined,
    ofNode: Requirement | undefined,
    host: string,
  ): Allowed {
    const admits = (domain: string): boolean => ofPod === undefined || has(ofPod, domain);
    const isFirst = (): boolean => this.selects(pod) && (this.#isUnused() || !this.#isUsedIn(ofPod));
    if (this.term.key === HOSTNAME) {
      if (!admits(host)) return NONE;
      return (this.domains.get(host) ?? 0) > 0 || isFirst() ? { domains: [host], instead: [] } : NONE;
    }
    const used = [...this.#candidates(ofNode)].filter((one) => (this.domains.get(one) ?? 0) > 0 && admits(one));
    if (used.length > 0) return { domains: used, instead: [] };
    if (!isFirst()) return NONE;
    // Karpenter adds a random domain that node and pod share, and one of the pod, which the node may not have.
    const ofPods = [...this.#candidates(ofPod)].filter((one) => this.domains.has(one)).toSorted();
    const shared = ofPods.filter((one) => ofNode === undefined || has(ofNode, one));
    const taken = [...new Set([shared, ofPods].flatMap((some) => this.#tieOrder(some).slice(0, 1)))];
    return { domains: taken, instead: [...new Set([...shared, ...ofPods])].filter((one) => !taken.includes(one)) };
  }

  #isUnused(): boolean {
    return this.domains.size === this.#empty.size;
  }

  /** `anyCompatiblePodDomain`. */
  #isUsedIn(ofPod: Requirement | undefined): boolean {
    if (ofPod === undefined) return !this.#isUnused();
    for (const domain of this.#candidates(ofPod)) if ((this.domains.get(domain) ?? 0) > 0) return true;
    return false;
  }

  /** `nextDomainAntiAffinity`. */
  #nextOfAntiAffinity(ofPod: Requirement | undefined, ofNode: Requirement | undefined, host: string): Allowed {
    if (this.term.key === HOSTNAME)
      return (this.domains.get(host) ?? 0) === 0 ? { domains: [host], instead: [] } : NONE;
    const listed = ofNode !== undefined && !ofNode.complement ? ofNode.values : this.#empty;
    const domains = [...listed].filter(
      (one) =>
        this.#empty.has(one) && (ofNode === undefined || has(ofNode, one)) && (ofPod === undefined || has(ofPod, one)),
    );
    return { domains, instead: [] };
  }
}

const EVERY = 2 ** 31 - 1;
const NO_KEYS: ReadonlySet<string> = new Set();

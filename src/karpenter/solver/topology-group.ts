/** Counts the pods that a topology term selects by domain, and finds the domains it allows. */
import { has, type Requirement } from "../requirements/requirement.ts";
import { compatible, type Requirements } from "../requirements/requirements.ts";
import { type Labels, selects } from "../scheduling/label-selector.ts";
import { type Taint, untolerated } from "../scheduling/taints.ts";
import { DomainCounts } from "./domain-counts.ts";
import type { Stage } from "./pod-shape.ts";
import { oddOnes, selectorIdentity, type TopologyTerm } from "./topology-term.ts";

export const HOSTNAME = "kubernetes.io/hostname";

/** Which of several equally good domains is taken, where Karpenter takes any: the place of one in a list by name. */
export type TieChoice = (sorted: readonly string[]) => number;

interface Selected {
  readonly namespace: string;
  readonly labels: Labels;
}

/** The domains that a term allows. */
export interface Allowed {
  /** Empty if there is none. */
  readonly domains: readonly string[];
  /** Others that Karpenter may take instead, because it walks a map in random order: the first of them by name. */
  readonly instead: readonly string[];
}

const NONE: Allowed = { domains: [], instead: [] };

/** How many other domains are named: a key may have thousands. */
const MOST_NAMED = 20;

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
  readonly #domains: DomainCounts;
  readonly #selected: readonly Requirements[];
  readonly #tolerations: Stage["tolerations"];
  readonly #namespaces: ReadonlySet<string>;
  readonly #matched = new WeakMap<Requirements, boolean>();
  readonly #choose: TieChoice;
  /** Whether its pods ask for no label. */
  readonly #isOpen: boolean;

  constructor(
    term: TopologyTerm,
    { selected, tolerations }: Stage,
    domains: Iterable<string>,
    choose: TieChoice = () => 0,
  ) {
    this.term = term;
    this.#choose = choose;
    this.#selected = selected;
    this.#isOpen = selected.some(({ size }) => size === 0);
    this.#tolerations = tolerations;
    this.#namespaces = new Set(term.namespaces);
    this.#domains = new DomainCounts(domains, term.type === "spread" && term.key !== HOSTNAME);
  }

  register(domain: string): void {
    this.#domains.register(domain);
  }

  record(domain: string): void {
    this.#domains.record(domain);
  }

  selects({ namespace, labels }: Selected): boolean {
    return this.#namespaces.has(namespace) && selects(this.term.selector, labels);
  }

  /** Whether a pod with the same term would have given the group other domains, or another minimum of them. */
  differs({ minDomains }: TopologyTerm, tolerations: Stage["tolerations"]): boolean {
    if (minDomains !== this.term.minDomains) return true;
    return this.term.type !== "spread" && tolerations !== this.#tolerations && !alike(tolerations, this.#tolerations);
  }

  /** Whether pods on such a node count (`TopologyNodeFilter`); the node's own labels have to be known. */
  counts(taints: readonly Taint[], requirements: Requirements): boolean {
    const { type, honorsAffinity, honorsTaints } = this.term;
    if (type !== "spread") return true;
    if (honorsTaints && untolerated(taints, this.#tolerations).length > 0) return false;
    if (!honorsAffinity || this.#isOpen) return true;
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

  /** `nextDomainTopologySpread`. Of domains with equally few pods the first by name is taken, unless told otherwise. */
  #nextOfSpread(own: boolean, ofPod: Requirement | undefined, ofNode: Requirement | undefined, host: string): Allowed {
    const { key, maxSkew } = this.term;
    const more = own ? 1 : 0;
    if (key === HOSTNAME)
      return (this.#domains.of(host) ?? 0) + more <= maxSkew ? { domains: [host], instead: [] } : NONE;
    const { count, domains } = this.#fewestOf(ofNode);
    if (domains.length === 0 || count + more - this.#leastOf(ofPod) > maxSkew) return NONE;
    const place = this.#choice(domains);
    return { domains: [domains[place]!], instead: domains.length === 1 ? [] : others(domains, place) };
  }

  #choice(sorted: readonly string[]): number {
    return sorted.length === 1 ? 0 : this.#choose(sorted);
  }

  /** Of the domains of a node, those with the fewest pods, by name. */
  #fewestOf(ofNode: Requirement | undefined): ReturnType<DomainCounts["fewest"]> {
    if (ofNode === undefined || this.#domains.covers(ofNode)) return this.#domains.fewest();
    let fewest = Infinity;
    let found: string[] = [];
    for (const domain of this.#domains.candidates(ofNode)) {
      const count = this.#domains.of(domain);
      if (count === undefined || count > fewest) continue;
      if (count < fewest) found = [];
      fewest = count;
      found.push(domain);
    }
    return { count: fewest, domains: found.length > 1 ? found.toSorted() : found };
  }

  /** `domainMinCount`. */
  #leastOf(ofPod: Requirement | undefined): number {
    const { minDomains } = this.term;
    const { count, domains } = this.#domains.leastOf(ofPod);
    if (minDomains !== undefined && domains < minDomains) return 0;
    return count === Infinity ? EVERY : count;
  }

  /** `nextDomainAffinity`. */
  #nextOfAffinity(
    pod: Selected,
    ofPod: Requirement | undefined,
    ofNode: Requirement | undefined,
    host: string,
  ): Allowed {
    const admits = (domain: string): boolean => ofPod === undefined || has(ofPod, domain);
    const isFirst = (): boolean => this.selects(pod) && !this.#isUsedIn(ofPod);
    if (this.term.key === HOSTNAME) {
      if (!admits(host)) return NONE;
      return this.#domains.used.has(host) || isFirst() ? { domains: [host], instead: [] } : NONE;
    }
    const used = [...this.#usedIn(ofNode)].filter(admits);
    if (used.length > 0) return { domains: used, instead: [] };
    if (!isFirst()) return NONE;
    // Karpenter adds a random domain that node and pod share, and one of the pod, which the node may not have.
    const ofPods = this.#domains.within(ofPod);
    const shared =
      ofNode === undefined || this.#domains.covers(ofNode) ? ofPods : ofPods.filter((one) => has(ofNode, one));
    const taken = [shared, ofPods].flatMap((some) => (some.length === 0 ? [] : [some[this.#choice(some)]!]));
    const instead = [...new Set([...shared.slice(0, MOST_NAMED + 2), ...ofPods.slice(0, MOST_NAMED + 2)])];
    return {
      domains: [...new Set(taken)],
      instead: instead.filter((one) => !taken.includes(one)).slice(0, MOST_NAMED),
    };
  }

  #usedIn(ofNode: Requirement | undefined): Iterable<string> {
    const { used } = this.#domains;
    if (ofNode === undefined) return used;
    if (ofNode.complement || ofNode.values.size > used.size) return used.values().filter((one) => has(ofNode, one));
    return ofNode.values.values().filter((one) => used.has(one));
  }

  /** `anyCompatiblePodDomain`. */
  #isUsedIn(ofPod: Requirement | undefined): boolean {
    return this.#domains.used.size > 0 && !this.#usedIn(ofPod)[Symbol.iterator]().next().done;
  }

  /** `nextDomainAntiAffinity`. */
  #nextOfAntiAffinity(ofPod: Requirement | undefined, ofNode: Requirement | undefined, host: string): Allowed {
    if (this.term.key === HOSTNAME) return this.#domains.used.has(host) ? NONE : { domains: [host], instead: [] };
    const listed = ofNode !== undefined && !ofNode.complement ? ofNode.values : this.#domains.names();
    const domains = [...listed].filter(
      (one) =>
        this.#domains.isEmpty(one) &&
        (ofNode === undefined || has(ofNode, one)) &&
        (ofPod === undefined || has(ofPod, one)),
    );
    return { domains, instead: [] };
  }
}

function alike(some: Stage["tolerations"], others: Stage["tolerations"]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

/** The first of a list but for one. */
function others(names: readonly string[], place: number): readonly string[] {
  return names
    .slice(0, MOST_NAMED + 1)
    .filter((_one, at) => at !== place)
    .slice(0, MOST_NAMED);
}

const EVERY = 2 ** 31 - 1;
const NO_KEYS: ReadonlySet<string> = new Set();

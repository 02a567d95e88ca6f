/** All topology groups of a round: which ones a pod belongs to, and which domains they leave it. */
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { Toleration } from "../../model/objects/pod.ts";
import { intersection, type Requirement } from "../requirements/requirement.ts";
import { labelRequirements, type Requirements } from "../requirements/requirements.ts";
import { type Labels, selects } from "../scheduling/label-selector.ts";
import type { Taint } from "../scheduling/taints.ts";
import { interning } from "./narrow.ts";
import type { PodShape, Stage } from "./pod-shape.ts";
import { groupIdentity, HOSTNAME, type TieChoice, TopologyGroup } from "./topology-group.ts";
import type { TopologyTerm } from "./topology-term.ts";

/** A pod that has a node and has not ended. */
export interface BoundPod {
  readonly namespace: string;
  readonly labels: Labels;
  readonly node: string;
  /** Whether it counts: pods that are being deleted only keep others away. */
  readonly counts: boolean;
  /** Its required anti-affinity. */
  readonly avoided: readonly TopologyTerm[];
  readonly tolerations: readonly Toleration[];
}

export interface LabelledNode {
  readonly name: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  /** Whether pods may be placed on it. */
  readonly isActive: boolean;
}

export interface Surroundings {
  readonly nodes: readonly LabelledNode[];
  readonly pods: readonly BoundPod[];
  /** @param tolerations of the first pod with the term */
  readonly domains: (term: TopologyTerm, tolerations: readonly Toleration[]) => Iterable<string>;
  readonly choose?: TieChoice | undefined;
}

/** A tie that anp decides by name, and Karpenter at random. */
export interface Tie {
  readonly key: string;
  readonly taken: string;
  readonly instead: readonly string[];
}

/** The node that a pod is tried on. */
export interface OnNode {
  readonly host: string;
  readonly taints: readonly Taint[];
}

export type Fit =
  | { readonly allowed: Requirements | undefined; readonly ties: readonly Tie[] }
  | { readonly refusedBy: TopologyGroup };

const NO_TIES: readonly Tie[] = [];
const NOTHING: Fit = { allowed: undefined, ties: NO_TIES };

export class Topology {
  readonly #groups = new Map<string, TopologyGroup>();
  readonly #inverse = new Map<string, TopologyGroup>();
  readonly #around: Surroundings;
  readonly #byName: ReadonlyMap<string, { readonly node: LabelledNode; readonly requirements: Requirements }>;
  /** Pods with the same labels; made when a group counts them. */
  #alike: readonly { readonly first: BoundPod; readonly nodes: readonly string[] }[] | undefined;
  readonly #owned = new WeakMap<Stage, readonly TopologyGroup[]>();
  readonly #ofShape = new Map<PodShape, Selecting>();
  readonly #intern = interning();
  /** How often one of several equally good domains was taken. */
  #chosen = 0;
  /** How often the domains of a pod on a node were looked for. */
  #looked = 0;
  #isOfFirst = false;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#byName = new Map(around.nodes.map((node) => [node.name, withRequirements(node)]));
    for (const pod of around.pods)
      for (const term of pod.avoided) {
        const known = this.#byName.get(pod.node);
        if (known === undefined) continue;
        const domain = Object.hasOwn(known.node.labels, term.key) ? known.node.labels[term.key] : undefined;
        const group = this.#inverseOf(term, pod.tolerations);
        if (domain !== undefined) group.record(domain);
      }
  }

  get chosen(): number {
    return this.#chosen;
  }

  get looked(): number {
    return this.#looked;
  }

  /** Whether another order of the pods may give a group other domains: its first pod decides them. */
  get isOfFirst(): boolean {
    return this.#isOfFirst;
  }

  /** `Update`: the groups that the pod owns at this stage. Groups are made when a pod first needs them. */
  own(shape: PodShape, stage: Stage): readonly TopologyGroup[] {
    const known = this.#owned.get(stage);
    if (known !== undefined) return known;
    this.#selectingOf(shape);
    const made = [...new Set(stage.terms.map((term) => this.#groupOf(term, stage)))];
    this.#owned.set(stage, made);
    return made;
  }

  /** `Register` of a node's host name. */
  register(host: string): void {
    for (const group of [...this.#groups.values(), ...this.#inverse.values()])
      if (group.term.key === HOSTNAME) group.register(host);
  }

  /** `AddRequirements`. */
  fit(shape: PodShape, stage: Stage, host: string, ofNode: Requirements): Fit {
    const owned = this.own(shape, stage);
    const { inverse } = this.#selectingOf(shape);
    if (owned.length === 0 && inverse.length === 0) return NOTHING;
    this.#looked++;
    const found: [key: string, domains: readonly string[]][] = [];
    const ties: Tie[] = [];
    for (const group of [...owned, ...inverse]) {
      const { key } = group.term;
      const { domains, instead } = group.allowed(shape, stage.strict.get(key), ofNode.get(key), host);
      const [taken] = domains;
      if (taken === undefined) return { refusedBy: group };
      if (key === HOSTNAME) continue;
      if (instead.length > 0) {
        this.#chosen++;
        ties.push({ key, taken, instead });
      }
      found.push([key, domains]);
    }
    const allowed = found.length === 0 ? undefined : this.#merged(found, ofNode);
    return { allowed, ties: ties.length === 0 ? NO_TIES : ties };
  }

  #merged(found: readonly (readonly [string, readonly string[]])[], ofNode: Requirements): Requirements {
    const [[key, domains] = ["", []]] = found;
    const ofKey = ofNode.get(key);
    // A node without the label may get none of the domains, and Karpenter takes it all the same.
    const isPlain = ofKey === undefined || (!ofKey.complement && ofKey.values.size > 0);
    if (found.length === 1 && isPlain) return this.#intern(key, domains);
    const merged = new Map<string, Requirement>();
    for (const [of, values] of found) {
      const requirement: Requirement = { key: of, complement: false, values: new Set(values) };
      const known = merged.get(of) ?? ofNode.get(of);
      merged.set(of, known === undefined ? requirement : intersection(requirement, known));
    }
    return merged;
  }

  /** `Record`: the pod is placed on a node with these requirements. */
  record(shape: PodShape, { host, taints }: OnNode, requirements: Requirements): void {
    const { groups, avoided } = this.#selectingOf(shape);
    for (const group of groups) {
      if (!group.counts(taints, requirements)) continue;
      const domains = domainsIn(requirements, group.term.key, host);
      if (group.term.type === "anti-affinity") for (const domain of domains.values) group.record(domain);
      else if (domains.isOne) group.record(domains.values[0]!);
    }
    for (const group of avoided)
      for (const domain of domainsIn(requirements, group.term.key, host).values) group.record(domain);
  }

  #selectingOf(shape: PodShape): Selecting {
    const known = this.#ofShape.get(shape);
    if (known !== undefined) return known;
    const avoided = [...new Set(shape.avoided.map((term) => this.#inverseOf(term, shape.stage(0)!.tolerations)))];
    const made: Selecting = {
      groups: [...this.#groups.values()].filter((group) => group.selects(shape)),
      inverse: [...this.#inverse.values()].filter((group) => group.selects(shape)),
      avoided,
    };
    this.#ofShape.set(shape, made);
    return made;
  }

  #inverseOf(term: TopologyTerm, tolerations: readonly Toleration[]): TopologyGroup {
    const id = inverseIdentity(term);
    const known = this.#inverse.get(id);
    if (known !== undefined) {
      this.#isOfFirst ||= known.differs(term, tolerations);
      return known;
    }
    const made = new TopologyGroup(
      term,
      { ...NO_STAGE, tolerations },
      this.#around.domains(term, tolerations),
      this.#around.choose,
    );
    this.#inverse.set(id, made);
    for (const [shape, { inverse }] of this.#ofShape) if (made.selects(shape)) inverse.push(made);
    return made;
  }

  #groupOf(term: TopologyTerm, stage: Stage): TopologyGroup {
    const id = groupIdentity(term, stage);
    const known = this.#groups.get(id);
    if (known !== undefined) {
      this.#isOfFirst ||= stage.index === 0 && known.differs(term, stage.tolerations);
      return known;
    }
    const made = new TopologyGroup(term, stage, this.#around.domains(term, stage.tolerations), this.#around.choose);
    this.#count(made);
    this.#groups.set(id, made);
    for (const [shape, { groups }] of this.#ofShape) if (made.selects(shape)) groups.push(made);
    return made;
  }

  /** `countDomains`: the nodes and pods that are there. */
  #count(group: TopologyGroup): void {
    const { key, namespaces, selector } = group.term;
    for (const { node, requirements } of this.#byName.values()) {
      const domain = Object.hasOwn(node.labels, key) ? node.labels[key] : undefined;
      if (node.isActive && domain !== undefined && group.counts(node.taints, requirements)) group.register(domain);
    }
    this.#alike ??= alikePods(this.#around.pods);
    for (const { first, nodes } of this.#alike) {
      // A term without a selector counts all pods here, although it selects none.
      const isSelected =
        namespaces.includes(first.namespace) && (selector === undefined || selects(selector, first.labels));
      if (!isSelected) continue;
      for (const name of nodes) {
        const known = this.#byName.get(name);
        if (known === undefined) continue;
        const { node, requirements } = known;
        const own = Object.hasOwn(node.labels, key) ? node.labels[key] : undefined;
        const domain = own ?? (key === HOSTNAME ? node.name : undefined);
        if (domain !== undefined && group.counts(node.taints, requirements)) group.record(domain);
      }
    }
  }
}

// The rounds of one cluster have the same nodes and pods, so what is made of them is kept.
const withRequirements = memoizeByObject((node: LabelledNode) => ({
  node,
  requirements: labelRequirements(node.labels),
}));
const inverseIdentity = memoizeByObject((term: TopologyTerm) => groupIdentity(term, NO_STAGE));
const labelsOf = memoizeByObject(({ namespace, labels }: BoundPod) =>
  JSON.stringify([namespace, Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))]),
);

function alikePods(pods: readonly BoundPod[]) {
  const byLabels = Map.groupBy(
    pods.filter(({ counts }) => counts),
    labelsOf,
  );
  return [...byLabels.values()].map((own) => ({ first: own[0]!, nodes: own.map(({ node }) => node) }));
}

/** The groups that a pod counts in, those that keep others away from it, and those by which it keeps others away. */
interface Selecting {
  readonly groups: TopologyGroup[];
  readonly inverse: TopologyGroup[];
  readonly avoided: readonly TopologyGroup[];
}

const NO_STAGE: Pick<Stage, "selected" | "tolerations"> & Stage = {
  index: 0,
  requirements: new Map(),
  strict: new Map(),
  tolerations: [],
  terms: [],
  selected: [],
};

/** `Values` of a requirement, and whether it has exactly one. An excluded value counts as one of them in Karpenter. */
function domainsIn(requirements: Requirements, key: string, host: string) {
  if (key === HOSTNAME) return { values: [host], isOne: true };
  const requirement = requirements.get(key);
  if (requirement === undefined) return { values: [], isOne: false };
  const values = [...requirement.values];
  return { values, isOne: !requirement.complement && values.length === 1 };
}

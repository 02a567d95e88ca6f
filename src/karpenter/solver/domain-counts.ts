/** How many pods count in each domain of a topology key, and which domains have the fewest. */
import { has, type Requirement } from "../requirements/requirement.ts";

export class DomainCounts {
  readonly #counts = new Map<string, number>();
  readonly #used = new Set<string>();
  /** By count, the domains in the order of their names, so that the fewest need no walk; undefined if nothing asks. */
  readonly #byCount: Map<number, string[]> | undefined;
  #least = 0;
  #isSorted = true;
  #version = 0;
  readonly #covered = new WeakMap<Requirement, { readonly size: number; readonly isCovered: boolean }>();
  readonly #leastOf = new WeakMap<Requirement, { readonly version: number; readonly found: FewestOf }>();
  readonly #within = new WeakMap<Requirement, { readonly size: number; readonly names: readonly string[] }>();

  /** @param findsFewest whether `fewest` and `leastOf` are asked */
  constructor(domains: Iterable<string>, findsFewest: boolean) {
    this.#byCount = findsFewest ? new Map() : undefined;
    for (const domain of domains) this.register(domain);
  }

  get size(): number {
    return this.#counts.size;
  }

  /** The domains with a pod. */
  get used(): ReadonlySet<string> {
    return this.#used;
  }

  /** Undefined for a domain that is not known. */
  of(domain: string): number | undefined {
    return this.#counts.get(domain);
  }

  isEmpty(domain: string): boolean {
    return this.#counts.get(domain) === 0;
  }

  names(): Iterable<string> {
    return this.#counts.keys();
  }

  register(domain: string): void {
    if (this.#counts.has(domain)) return;
    this.#version++;
    this.#counts.set(domain, 0);
    this.#least = 0;
    this.#isSorted = false;
    const empty = this.#byCount?.get(0);
    if (empty === undefined) this.#byCount?.set(0, [domain]);
    else empty.push(domain);
  }

  record(domain: string): void {
    const count = this.#counts.get(domain);
    const next = (count ?? 0) + 1;
    this.#version++;
    this.#counts.set(domain, next);
    this.#used.add(domain);
    if (this.#byCount === undefined) return;
    this.#sort();
    if (count !== undefined) {
      const before = this.#byCount.get(count)!;
      before.splice(placeOf(before, domain), 1);
    }
    const now = this.#byCount.get(next) ?? [];
    now.splice(placeOf(now, domain), 0, domain);
    this.#byCount.set(next, now);
    if (this.#counts.size === 1) this.#least = next;
    else if (count === undefined) this.#least = Math.min(this.#least, next);
    while ((this.#byCount.get(this.#least) ?? []).length === 0) this.#least++;
  }

  /** Of all domains, the fewest pods and the domains that have as many, by name. */
  fewest(): { readonly count: number; readonly domains: readonly string[] } {
    this.#sort();
    return { count: this.#least, domains: this.#byCount?.get(this.#least) ?? [] };
  }

  /** The fewest pods in a domain that the requirement has, and how many domains that are. */
  leastOf(requirement: Requirement | undefined): FewestOf {
    if (requirement === undefined || this.covers(requirement)) return { count: this.#least, domains: this.size };
    const known = this.#leastOf.get(requirement);
    if (known?.version === this.#version) return known.found;
    let [count, domains] = [Infinity, 0];
    for (const domain of this.candidates(requirement)) {
      const own = this.#counts.get(domain);
      if (own === undefined) continue;
      domains++;
      count = Math.min(count, own);
    }
    const found = { count, domains };
    this.#leastOf.set(requirement, { version: this.#version, found });
    return found;
  }

  /** Whether the requirement has every domain. */
  covers(requirement: Requirement): boolean {
    const { size } = this;
    const known = this.#covered.get(requirement);
    if (known?.size === size) return known.isCovered;
    const isCovered =
      (requirement.complement || requirement.values.size >= size) &&
      this.#counts.keys().every((domain) => has(requirement, domain));
    this.#covered.set(requirement, { size, isCovered });
    return isCovered;
  }

  /** The domains that a requirement has; those that it lists may not be known. */
  candidates(requirement: Requirement | undefined): Iterable<string> {
    if (requirement === undefined) return this.#counts.keys();
    if (!requirement.complement) return requirement.values;
    return this.#counts.keys().filter((domain) => has(requirement, domain));
  }

  /** The known domains that a requirement has, by name. */
  within(requirement: Requirement | undefined): readonly string[] {
    const key = requirement ?? ANY;
    const known = this.#within.get(key);
    if (known?.size === this.size) return known.names;
    const names = [...this.candidates(requirement)].filter((domain) => this.#counts.has(domain)).toSorted();
    this.#within.set(key, { size: this.size, names });
    return names;
  }

  #sort(): void {
    if (!this.#isSorted) this.#byCount?.get(0)?.sort();
    this.#isSorted = true;
  }
}

interface FewestOf {
  /** Infinity without a domain. */
  readonly count: number;
  readonly domains: number;
}

const ANY: Requirement = { key: "", complement: true, values: new Set() };

/** Where a name is, or belongs, in a sorted list. */
function placeOf(sorted: readonly string[], name: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All values that a topology key can have on nodes of pools, with the taints of these. */
import type { Toleration } from "../../model/objects/pod.ts";
import { type Catalogue, UNKNOWN } from "../catalogue/catalogue.ts";
import { advertisedValues } from "../catalogue/type-filter.ts";
import { intersection, type Requirement } from "../requirements/requirement.ts";
import type { Requirements } from "../requirements/requirements.ts";
import { type Taint, untolerated } from "../scheduling/taints.ts";

export interface DomainPool {
  readonly taints: readonly Taint[];
  /** Entries and labels of the template, without those that Karpenter adds. */
  readonly written: Requirements;
  readonly ofClass: Requirements;
}

/** By domain, the taints of each pool that has it. A pool without taints makes the others irrelevant. */
export type Domains = ReadonlyMap<string, readonly (readonly Taint[])[]>;

/** `buildDomainGroups` (topology.go) for one key. */
export function domainsOfKey(key: string, pools: readonly DomainPool[], catalogue: Catalogue): Domains {
  const domains = new Map<string, (readonly Taint[])[]>();
  for (const { taints, written, ofClass } of pools) {
    const asked = written.get(key);
    const insert = (domain: string): void => {
      const known = domains.get(domain);
      if (known === undefined || taints.length === 0) domains.set(domain, [taints]);
      else if (known[0]!.length > 0 && !known.includes(taints)) known.push(taints);
    };
    for (const of of ofTypes(key, catalogue)) {
      const narrowed = [asked, ofClass.get(key)].reduce<Requirement>(
        (left, one) => (one === undefined ? left : intersection(left, one)),
        of,
      );
      for (const value of narrowed.values) insert(value);
    }
    if (asked !== undefined && !asked.complement) for (const value of asked.values) insert(value);
  }
  return domains;
}

/** The different requirements that instance types have on a key. */
function ofTypes(key: string, catalogue: Catalogue): Requirement[] {
  const column = catalogue.labels.get(key);
  const places = new Set<string>();
  const found: Requirement[] = [];
  for (const type of catalogue.names.keys()) {
    const place = column?.of[type] ?? UNKNOWN;
    const id = place === UNKNOWN ? `offering ${catalogue.offerings.of[type]}` : String(place);
    if (places.has(id)) continue;
    places.add(id);
    const values = advertisedValues(catalogue, type, key);
    // Unknown values may be any: only the pool and the class say which.
    if (values === undefined) found.push({ key, complement: true, values: new Set() });
    else if (values.length > 0) found.push({ key, complement: false, values: new Set(values) });
  }
  return found;
}

/** `ForEachDomain` (topologydomaingroup.go). */
export function domainsFor(
  domains: Domains,
  honorsTaints: boolean,
  tolerations: readonly Toleration[],
): readonly string[] {
  if (!honorsTaints) return [...domains.keys()];
  return [...domains].flatMap(([domain, lists]) =>
    lists.some((taints) => untolerated(taints, tolerations).length === 0) ? [domain] : [],
  );
}

/** The region that zones and regions of pools and nodes name, whose list prices are theirs. */
import type { Requirement } from "../requirements/requirement.ts";

const REGION_LABEL = "topology.kubernetes.io/region";
const ZONE_LABEL = "topology.kubernetes.io/zone";

const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/;
/** Of a zone, a Local Zone or a Wavelength Zone: `us-east-1a`, `us-east-1-bos-1a`. */
const REGION_OF_ZONE = /^([a-z]{2}(?:-[a-z]+)+-\d{1,2})[a-z-]/;

/** Whether AWS may have a region of this name; also several, as `regionOfLabels` lists them. */
export function isRegionName(text: string): boolean {
  return text.split(", ").every((name) => REGION.test(name));
}

/** Of labels and their values: `eu-central-1`; several are listed, with commas. Undefined if they name none. */
export function regionOfLabels(labels: Iterable<readonly [key: string, value: string]>): string | undefined {
  const regions = new Set<string>();
  for (const [key, value] of labels) {
    const region = key === REGION_LABEL && REGION.test(value) ? value : undefined;
    const ofZone = key === ZONE_LABEL ? REGION_OF_ZONE.exec(value)?.[1] : undefined;
    const found = region ?? ofZone;
    if (found !== undefined) regions.add(found);
  }
  return regions.size === 0 ? undefined : [...regions].toSorted().join(", ");
}

/** The region of the zones that pools ask for, their policy and node classes too. */
export function regionOfPools(
  pools: readonly { readonly demands: readonly { readonly requirement: Requirement }[] }[],
): string | undefined {
  return regionOfLabels(
    pools.flatMap(({ demands }) =>
      demands.flatMap(({ requirement: { key, complement, values } }) =>
        complement ? [] : [...values].map((value): [string, string] => [key, value]),
      ),
    ),
  );
}

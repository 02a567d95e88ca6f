/** Selects the prices of a region from AWS responses, as Karpenter's provider does. */
import type { Words } from "../../krm/findings/finding.ts";
import type { Product, SpotPrice } from "../../model/ec2/price-answers.ts";

export interface PriceAnswers {
  readonly products: readonly Product[];
  readonly spotPrices: readonly SpotPrice[];
}

interface Zone {
  readonly name?: string | undefined;
  readonly id?: string | undefined;
}

interface RegionalPrices {
  readonly currency: string;
  /** Per hour; undefined if no response has it. */
  readonly priceOf: (type: string, capacityType: string, zone: Zone) => number | undefined;
}

/** Uses the products that Karpenter uses (docs/upstream/karpenter.md#prices). */
export function regionalPrices(
  region: string,
  { products, spotPrices }: PriceAnswers,
): RegionalPrices | { readonly problem: Words } {
  const currency = region.startsWith("cn-") ? "CNY" : "USD";
  const eligible = products.filter(isOnDemandLinux);
  const elsewhere = eligible.find(({ product: { attributes } }) => attributes.regionCode !== region);
  if (elsewhere !== undefined) return { problem: otherRegion(elsewhere.product.attributes.regionCode, region) };
  const onDemand = new Map<string, number>();
  for (const product of eligible) {
    const type = product.product.attributes.instanceType;
    const price = lowestPrice(product, currency);
    if (type !== undefined && price !== undefined) onDemand.set(type, Math.min(price, onDemand.get(type) ?? price));
  }
  const spot = latestOf(spotPrices);
  return {
    currency,
    priceOf: (type, capacityType, { name, id }) => {
      if (capacityType === "on-demand") return onDemand.get(type);
      return capacityType === "spot" ? (spot.get(`${type} ${name}`) ?? spot.get(`${type} ${id}`)) : undefined;
    },
  };
}

const SHARED = ["Compute Instance", "Shared"].join();
const METAL = ["Compute Instance (bare metal)", "Dedicated"].join();

function isOnDemandLinux({ product: { productFamily, attributes } }: Product): boolean {
  const { operatingSystem, tenancy, preInstalledSw, capacitystatus, marketoption } = attributes;
  const kind = [productFamily, tenancy].join();
  return (
    (kind === SHARED || kind === METAL) &&
    operatingSystem === "Linux" &&
    preInstalledSw === "NA" &&
    capacitystatus === "Used" &&
    marketoption === "OnDemand"
  );
}

/** A price of 0 is not an instance that can be launched. */
function lowestPrice({ terms }: Product, currency: string): number | undefined {
  const prices = Object.values(terms.OnDemand ?? {})
    .flatMap(({ priceDimensions }) => Object.values(priceDimensions))
    .map(({ pricePerUnit }) => Number(pricePerUnit[currency] ?? 0))
    .filter((price) => price > 0);
  return prices.length === 0 ? undefined : Math.min(...prices);
}

const LINUX: ReadonlySet<string> = new Set(["Linux/UNIX", "Linux/UNIX (Amazon VPC)"]);

/** By type and zone, with the name and the id of the zone. A history also contains past prices. */
function latestOf(spotPrices: readonly SpotPrice[]): ReadonlyMap<string, number> {
  const inTime = spotPrices
    .filter(({ ProductDescription }) => LINUX.has(ProductDescription))
    .toSorted((a, b) => Date.parse(a.Timestamp) - Date.parse(b.Timestamp));
  return new Map(
    inTime.flatMap(({ InstanceType, AvailabilityZone, AvailabilityZoneId, SpotPrice }) =>
      [AvailabilityZone, AvailabilityZoneId]
        .filter((zone) => zone !== undefined)
        .map((zone): [string, number] => [`${InstanceType} ${zone}`, Number(SpotPrice)]),
    ),
  );
}

function otherRegion(found: string | undefined, region: string): Words {
  return {
    message: `has prices of ${found ?? "no region"}, but the offerings are of ${region}`,
    hint: `aws pricing get-products --service-code AmazonEC2 --filters Type=TERM_MATCH,Field=regionCode,Value=${region} …`,
  };
}

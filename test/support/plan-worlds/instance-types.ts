/** Some dozens of the catalogue's instance types for a world, with offerings in zones, prices and capacity. */
import { catalogueJson } from "../../../src/karpenter/catalogue/catalogue-json.ts";
import { memoryCapacity } from "../../../src/karpenter/catalogue/instance-type-resources.ts";
import { maskOf } from "../../../src/karpenter/catalogue/type-mask.ts";
import { shippedCatalogue, shippedPrices } from "../../../src/library/shipped-catalogue.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import type { Feature } from "./features.ts";
import type { Random } from "./random.ts";
import type { WorldOffering, WorldType } from "./world.ts";

interface Shipped {
  readonly name: string;
  readonly price?: number;
  readonly requirements: readonly NodeSelectorRequirement[];
  readonly allocatable: Readonly<Record<string, string>>;
}

export const ZONES = ["us-east-1a", "us-east-1b", "us-east-1c"] as const;
const ZONE = "topology.kubernetes.io/zone";
const ZONE_ID = "topology.k8s.aws/zone-id";
const CAPACITY_TYPE = "karpenter.sh/capacity-type";
const RESERVATION = "karpenter.k8s.aws/capacity-reservation";

const FAMILIES = ["m5", "c5", "r5", "t3", "m6g", "c7g", "r6g", "m7i", "c6a", "m4", "i3", "m5d", "c5n"] as const;
const DEVICES = ["g4dn", "g5", "inf2"] as const;
const MOST = 36;

let shipped: readonly Shipped[] | undefined;

function shippedTypes(): readonly Shipped[] {
  if (shipped === undefined) {
    const catalogue = shippedCatalogue();
    const text = catalogueJson(
      { ...catalogue, prices: shippedPrices()! },
      maskOf(catalogue.names.length, () => true),
    );
    shipped = (JSON.parse(text) as { instanceTypes: Shipped[] }).instanceTypes.filter(
      ({ price }) => price !== undefined,
    );
  }
  return shipped;
}

export function valueOf(requirements: readonly NodeSelectorRequirement[], key: string): string | undefined {
  const entry = requirements.find((one) => one.key === key && one.operator === "In");
  return entry?.values?.[0];
}

export function typesFor(random: Random, features: ReadonlySet<Feature>): WorldType[] {
  const families = new Set<string>(random.some(FAMILIES, random.between(2, 4)));
  if (features.has("devices")) for (const family of random.some(DEVICES, 2)) families.add(family);
  const most = random.pick([8, 16, 32, 64]);
  const candidates = shippedTypes().filter(
    ({ requirements, name }) =>
      families.has(name.split(".")[0]!) && Number(valueOf(requirements, "karpenter.k8s.aws/instance-cpu")) <= most,
  );
  const zones = random.some(ZONES, random.pick([2, 3, 3]));
  return random
    .some(candidates, random.between(6, MOST))
    .map((type, at) => withOfferings(type, at, zones, random, features));
}

function withOfferings(
  { name, price = 1, requirements, allocatable }: Shipped,
  at: number,
  zones: readonly string[],
  random: Random,
  features: ReadonlySet<Feature>,
): WorldType {
  const own = random.chance(0.15) ? random.some(zones, random.between(1, zones.length)) : zones;
  const gone = (): boolean => features.has("unavailable") && random.chance(0.25);
  const ordinary = own.flatMap((zone): WorldOffering[] => [
    offeringOf(zone, "on-demand", price, !gone()),
    offeringOf(zone, "spot", rounded(price * (0.25 + random.nat(50) / 100)), !gone()),
  ]);
  const reserved =
    features.has("reserved") && random.chance(0.35)
      ? random
          .some(own, random.between(1, 2))
          .map((zone, nth): WorldOffering => reservedIn(zone, `cr-${at}-${nth}`, price, random))
      : [];
  const offerings = [...ordinary, ...reserved];
  return {
    name,
    requirements: [
      ...requirements,
      inValues(ZONE, own),
      inValues(ZONE_ID, own.map(idOf)),
      inValues("topology.kubernetes.io/region", ["us-east-1"]),
      inValues(CAPACITY_TYPE, ["on-demand", "spot", ...(reserved.length > 0 ? ["reserved"] : [])]),
      ...reservationLabels(reserved),
    ],
    offerings,
    capacity: capacityOf(requirements, allocatable),
    allocatable,
  };
}

function rounded(price: number): number {
  return Number(price.toFixed(6));
}

function idOf(zone: string): string {
  return `use1-az${zone.charCodeAt(zone.length - 1) - 96}`;
}

function inValues(key: string, values: readonly string[]): NodeSelectorRequirement {
  return { key, operator: "In", values: [...values] };
}

const RESERVATION_KEYS = ["id", "type", "interruptible"].map((name) => `${RESERVATION}-${name}`);

function offeringOf(zone: string, capacityType: string, price: number, available: boolean): WorldOffering {
  return {
    requirements: [
      inValues(CAPACITY_TYPE, [capacityType]),
      inValues(ZONE, [zone]),
      inValues(ZONE_ID, [idOf(zone)]),
      ...RESERVATION_KEYS.map((key): NodeSelectorRequirement => ({ key, operator: "DoesNotExist" })),
    ],
    price,
    available,
  };
}

/** As the AWS provider makes them: nearly free, in the order of their prices on demand. */
function reservedIn(zone: string, id: string, price: number, random: Random): WorldOffering {
  return {
    requirements: [
      inValues(CAPACITY_TYPE, ["reserved"]),
      inValues(ZONE, [zone]),
      inValues(ZONE_ID, [idOf(zone)]),
      inValues(`${RESERVATION}-id`, [id]),
      inValues(`${RESERVATION}-type`, ["default"]),
      inValues(`${RESERVATION}-interruptible`, ["false"]),
    ],
    price: price / 10_000_000,
    available: random.chance(0.9),
    reservationCapacity: random.nat(4),
  };
}

/** What an instance type says of the reservations of its offerings. */
function reservationLabels(reserved: readonly WorldOffering[]): NodeSelectorRequirement[] {
  return RESERVATION_KEYS.map((key) => {
    const values = reserved.flatMap(({ requirements }) => valueOf(requirements, key) ?? []);
    return values.length === 0 ? { key, operator: "DoesNotExist" } : inValues(key, [...new Set(values)]);
  });
}

/** Limits count the capacity, which the catalogue does not have. */
function capacityOf(
  requirements: readonly NodeSelectorRequirement[],
  allocatable: Readonly<Record<string, string>>,
): Record<string, string> {
  const memory = Number(valueOf(requirements, "karpenter.k8s.aws/instance-memory"));
  return {
    ...allocatable,
    cpu: valueOf(requirements, "karpenter.k8s.aws/instance-cpu")!,
    memory: `${memoryCapacity(memory, valueOf(requirements, "kubernetes.io/arch"))}Mi`,
  };
}

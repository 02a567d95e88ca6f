/** Converts the shipped catalogue and list prices to kwok's instance_types.json. */
import { UNKNOWN } from "../../../../src/karpenter/catalogue/catalogue.ts";
import { shippedCatalogue, shippedPrices } from "../../../../src/library/shipped-catalogue.ts";
import { absent, type Entry, isIn, KEYS } from "../scenarios/scenario.ts";

/** In the format of kwok's own file. */
export interface EC2Type {
  readonly name: string;
  readonly architecture: string | undefined;
  readonly operatingSystems: readonly string[];
  readonly resources: Readonly<Record<string, string | undefined>>;
  readonly offerings: readonly Offering[];
}

interface Offering {
  readonly Price: number;
  readonly Requirements: readonly Entry[];
}

/** Labels that pools of the scenarios use; kwok itself has architecture, operating system, zone and capacity type. */
const LABELS = ["category", "cpu", "family", "generation", "gpu-count", "local-nvme", "memory", "size"].map(
  (name) => `karpenter.k8s.aws/instance-${name}`,
);

const ZONES = ["test-zone-a", "test-zone-b"];

const RESOURCES = ["cpu", "memory", "pods"];

const catalogue = shippedCatalogue();

/** Per hour on demand, by type, in us-east-1. */
export const LIST_PRICES: ReadonlyMap<string, number> = shippedPrices()!.onDemand;

/** Every type with a list price. Spot prices are made up: another share of it in each zone, as in a catalogue. */
export function ec2Types(): EC2Type[] {
  return catalogue.names.flatMap((name, type) => {
    const price = LIST_PRICES.get(name);
    if (price === undefined) return [];
    const labels = LABELS.map((key) => entryOf(type, key));
    const offering = (zone: string, capacity: string, Price: number): Offering => ({
      Price,
      Requirements: [isIn(KEYS.capacity, capacity), isIn(KEYS.zone, zone), ...labels],
    });
    const offerings = ZONES.flatMap((zone, at) => [
      offering(zone, "on-demand", price),
      offering(zone, "spot", Number((price * shareOfSpot(type, at)).toFixed(6))),
    ]);
    const resources = Object.fromEntries(
      RESOURCES.map((resource) => [resource, catalogue.allocatable.get(resource)?.[type]]),
    );
    return [{ name, architecture: valueOf(type, KEYS.arch), operatingSystems: ["linux"], resources, offerings }];
  });
}

/** Between 0.2 and 0.7, without correlation to the order of types. */
function shareOfSpot(type: number, zone: number): number {
  return 0.2 + (((type * 7919 + zone * 104_729) % 1000) / 1000) * 0.5;
}

function entryOf(type: number, key: string): Entry {
  const value = valueOf(type, key);
  return value === undefined ? absent(key) : isIn(key, value);
}

function valueOf(type: number, key: string): string | undefined {
  const { sets, of } = catalogue.labels.get(key)!;
  const at = of[type]!;
  return at === UNKNOWN ? undefined : [...sets[at]!.values][0];
}

/** Builds the catalogue of a region from saved responses of the EC2 API. */
import { CAPACITY_TYPE, ZONE } from "../../model/requirements/label-keys.ts";
import type { Words } from "../../krm/findings/finding.ts";
import { counted } from "../../krm/values/counted.ts";
import type { AvailabilityZone, InstanceTypeInfo, InstanceTypeOffering } from "../../model/ec2/answers.ts";
import { AWS_LABELS } from "../requirements/label-presence.ts";
import type { Requirement } from "../requirements/requirement.ts";
import { catalogueOf, type InstanceType } from "./catalogue-of.ts";
import { type Catalogue, type Offering, pricesOfCatalogue, UNKNOWN } from "./catalogue.ts";
import { architectureOf, instanceTypeLabels } from "./instance-type-labels.ts";
import { instanceTypeAllocatable } from "./instance-type-resources.ts";
import { type PriceAnswers, regionalPrices } from "./regional-prices.ts";

export interface RegionalAnswers extends Partial<PriceAnswers> {
  readonly instanceTypes: readonly InstanceTypeInfo[];
  readonly offerings: readonly InstanceTypeOffering[];
  /** Has the ids of zones; may be empty. */
  readonly zones: readonly AvailabilityZone[];
  /** When the responses were saved. */
  readonly date: string;
  /** When the price responses were saved; defaults to `date`. */
  readonly pricesDate?: string | undefined;
}

interface RegionalCatalogue {
  readonly catalogue: Catalogue;
  readonly region: string;
  readonly zones: readonly string[];
  readonly notes: readonly string[];
}

const NETWORK_BANDWIDTH = "karpenter.k8s.aws/instance-network-bandwidth";
const POD_ENI = "vpc.amazonaws.com/pod-eni";
const ZONE_ID = "topology.k8s.aws/zone-id";

/** @param known source of what EC2 does not return: Karpenter's own tables of network bandwidth and pod interfaces */
export function regionalCatalogue(
  { instanceTypes, offerings, zones, date, products = [], spotPrices = [], pricesDate = date }: RegionalAnswers,
  known: Catalogue,
): RegionalCatalogue | { readonly problem: Words; readonly inPrices?: true } {
  const region = zonesOfOfferings(offerings, zones);
  if ("problem" in region) return region;
  const prices = regionalPrices(region.name, { products, spotPrices });
  if ("problem" in prices) return { ...prices, inPrices: true };
  const [eligible, foreign] = split(instanceTypes, isEligible);
  const [offered, elsewhere] = split(eligible, ({ InstanceType }) => region.zones.has(InstanceType));
  if (offered.length === 0) return { problem: NOTHING_IN_COMMON };
  const places = new Map(known.names.map((name, place) => [name, place]));
  const types = offered.map((info): InstanceType => {
    const found = (region.zones.get(info.InstanceType) ?? []).toSorted((a, b) => (label(a) < label(b) ? -1 : 1));
    const offers = info.SupportedUsageClasses.filter((name) => name === "on-demand" || name === "spot").toSorted();
    const place = places.get(info.InstanceType);
    const facts = place === undefined ? { labels: [], allocatable: {} } : knownFacts(known, place);
    return {
      name: info.InstanceType,
      labels: new Map([
        ...instanceTypeLabels(info),
        ...facts.labels,
        listed(CAPACITY_TYPE, offers),
        listed("topology.kubernetes.io/region", [region.name]),
        ...labelOf(
          ZONE,
          found.map(({ name }) => name),
        ),
        ...labelOf(
          ZONE_ID,
          found.map(({ id }) => id),
        ),
      ]),
      offerings: found.flatMap(({ name, id }) =>
        offers.map((capacityType): Offering => {
          const requirements = new Map([
            listed(CAPACITY_TYPE, [capacityType]),
            ...labelOf(ZONE, [name]),
            ...labelOf(ZONE_ID, [id]),
          ]);
          const price = prices.priceOf(info.InstanceType, capacityType, { name, id });
          return { requirements, available: true, ...(price === undefined ? {} : { price }) };
        }),
      ),
      allocatable: { ...instanceTypeAllocatable(info), ...facts.allocatable },
    };
  });
  const head = { source: `Amazon EC2, ${region.name}`, date, ...AWS_LABELS };
  const described = new Set(instanceTypes.map(({ InstanceType }) => InstanceType));
  const catalogue = catalogueOf(head, types);
  const origin = {
    source: [
      ...(products.length > 0 ? ["AWS's price list"] : []),
      ...(spotPrices.length > 0 ? ["spot price history"] : []),
    ].join(" and "),
    region: region.name,
    date: pricesDate,
    currency: prices.currency,
  };
  const priced = pricesOfCatalogue(
    { source: head.source, date, prices: origin },
    catalogue.offerings.sets,
    region.name,
  );
  const undescribed = [...region.zones.keys()].filter((name) => !described.has(name));
  const unknown = offered.map(({ InstanceType }) => InstanceType).filter((name) => !places.has(name));
  return {
    catalogue: priced === undefined ? catalogue : { ...catalogue, prices: priced },
    region: region.name,
    zones: [...new Set([...region.zones.values()].flat().map(label))].toSorted(),
    notes: [
      ...note(foreign.map(nameOf), "left out: Karpenter uses only hvm on x86_64 or arm64"),
      ...note(elsewhere.map(nameOf), `left out: described, but not offered in ${region.name}`),
      ...note(undescribed, "missing: offered, but not described (check that all pages were saved)"),
      ...note(
        unknown,
        `without network bandwidth: EC2 does not return it, and the catalogue of ${known.date} does not have them`,
      ),
      ...unpriced("on-demand", products, types),
      ...unpriced("spot", spotPrices, types),
    ],
  };
}

/** Empty if no such prices were given. */
function unpriced(capacityType: string, answers: readonly unknown[], types: readonly InstanceType[]): string[] {
  if (answers.length === 0) return [];
  const lacks = ({ requirements, price }: Offering): boolean =>
    price === undefined && requirements.get(CAPACITY_TYPE)?.values.has(capacityType) === true;
  const names = types.filter(({ offerings }) => offerings.some(lacks)).map(({ name }) => name);
  return note(names, `without a price of ${capacityType} capacity in some zone: no response has it`);
}

const NOTHING_IN_COMMON: Words = {
  message: "offers none of the instance types described",
  hint: "give descriptions and offerings of one region",
};

function isEligible(info: InstanceTypeInfo): boolean {
  return architectureOf(info) !== undefined && info.SupportedVirtualizationTypes.includes("hvm");
}

function nameOf({ InstanceType }: InstanceTypeInfo): string {
  return InstanceType;
}

function label({ name, id }: { readonly name?: string | undefined; readonly id?: string | undefined }): string {
  return name ?? id ?? "";
}

function listed(key: string, values: readonly string[]): [string, Requirement] {
  return [key, { key, complement: false, values: new Set(values) }];
}

/** Empty if one of the zones lacks it: an unknown zone must not exclude an instance type. */
function labelOf(key: string, values: readonly (string | undefined)[]): [string, Requirement][] {
  const all = values.filter((value) => value !== undefined);
  return all.length === values.length ? [listed(key, all)] : [];
}

function knownFacts({ labels, allocatable }: Catalogue, place: number) {
  const bandwidth = labels.get(NETWORK_BANDWIDTH);
  const at = bandwidth?.of[place] ?? UNKNOWN;
  const podEni = allocatable.get(POD_ENI)?.[place];
  const known: [string, Requirement][] = at === UNKNOWN ? [] : [[NETWORK_BANDWIDTH, bandwidth!.sets[at]!]];
  return { labels: known, allocatable: podEni === undefined ? {} : { [POD_ENI]: podEni } };
}

const NAMES_SHOWN = 5;

function note(names: readonly string[], what: string): string[] {
  if (names.length === 0) return [];
  const sorted = names.toSorted();
  const more = sorted.length > NAMES_SHOWN ? ` and ${sorted.length - NAMES_SHOWN} more` : "";
  return [`${counted(names.length, "instance type")} ${what}: ${sorted.slice(0, NAMES_SHOWN).join(", ")}${more}`];
}

function split<T>(list: readonly T[], isFirst: (entry: T) => boolean): [T[], T[]] {
  return [list.filter(isFirst), list.filter((entry) => !isFirst(entry))];
}

interface Zone {
  /** Undefined if only its id is known. Likewise, the id is undefined if only the name is known. */
  readonly name?: string | undefined;
  readonly id?: string | undefined;
}

interface Region {
  readonly name: string;
  readonly zones: ReadonlyMap<string, readonly Zone[]>;
}

/** `us-east-1` of us-east-1a and of the Local Zone us-east-1-bos-1a. */
const REGION_OF_ZONE = /^[a-z]+(?:-[a-z]+)+-\d+/;

/** `zones` maps names to ids, for offerings by name, and ids to names, for offerings by id. */
function zonesOfOfferings(
  offerings: readonly InstanceTypeOffering[],
  zones: readonly AvailabilityZone[],
): Region | { readonly problem: Words } {
  const coarse = offerings.find(({ LocationType }) => !LocationType.startsWith("availability-zone"));
  if (coarse !== undefined) return { problem: notByZone(coarse) };
  const ids = new Map(zones.map((zone) => [zone.ZoneName, zone.ZoneId]));
  const names = new Map(zones.map((zone) => [zone.ZoneId, zone.ZoneName]));
  const byName = offerings.filter(({ LocationType }) => LocationType === "availability-zone");
  // If offerings by name and by id were saved, names are enough: without `zones` ids cannot be matched to names.
  const used = byName.length > 0 ? byName : offerings;
  const zoneOf = ({ LocationType, Location }: InstanceTypeOffering): Zone =>
    LocationType === "availability-zone"
      ? { name: Location, id: ids.get(Location) }
      : { name: names.get(Location), id: Location };
  const found = new Map<string, Zone[]>();
  for (const offering of used) {
    const zone = zoneOf(offering);
    const known = found.get(offering.InstanceType) ?? [];
    if (known.some(({ name, id }) => name === zone.name && id === zone.id)) continue;
    found.set(offering.InstanceType, [...known, zone]);
  }
  const regions = new Set([...zones.map((zone) => zone.RegionName), ...byName.map(regionOf)]);
  const [name, ...others] = [...regions].toSorted();
  if (name === undefined) return { problem: NO_REGION };
  return others.length === 0 ? { name, zones: found } : { problem: severalRegions([name, ...others]) };
}

function regionOf({ Location }: InstanceTypeOffering): string {
  return REGION_OF_ZONE.exec(Location)?.[0] ?? Location;
}

function notByZone({ LocationType }: InstanceTypeOffering): Words {
  return {
    message: `lists offerings by ${LocationType}, but a catalogue needs them by zone`,
    hint: "aws ec2 describe-instance-type-offerings --location-type availability-zone",
  };
}

const NO_REGION: Words = {
  message: "does not contain the region: zone ids do not include it",
  hint: "save offerings with --location-type availability-zone, or give --zones with aws ec2 describe-availability-zones",
};

function severalRegions(names: readonly string[]): Words {
  const message = `covers, together with --zones, several regions: ${names.join(", ")}`;
  return { message, hint: "build one catalogue for each region" };
}

/** Where instance types are offered: the zones of each and the region, from EC2's lists. */
import type { Words } from "../../krm/finding.ts";
import type { AvailabilityZone, InstanceTypeOffering } from "../../model/ec2/answers.ts";

interface Zone {
  /** Undefined where only its id is known, and the other way round. */
  readonly name?: string | undefined;
  readonly id?: string | undefined;
}

interface Region {
  readonly name: string;
  readonly zones: ReadonlyMap<string, readonly Zone[]>;
}

/** `us-east-1` of us-east-1a and of the Local Zone us-east-1-bos-1a. */
const REGION_OF_ZONE = /^[a-z]+(?:-[a-z]+)+-\d+/;

/** Zone ids need `zones`, which tells the name of each, where the offerings are by name; the other way round as well. */
export function zonesOfOfferings(
  offerings: readonly InstanceTypeOffering[],
  zones: readonly AvailabilityZone[],
): Region | { readonly problem: Words } {
  const coarse = offerings.find(({ LocationType }) => !LocationType.startsWith("availability-zone"));
  if (coarse !== undefined) return { problem: notByZone(coarse) };
  const ids = new Map(zones.map((zone) => [zone.ZoneName, zone.ZoneId]));
  const names = new Map(zones.map((zone) => [zone.ZoneId, zone.ZoneName]));
  const byName = offerings.filter(({ LocationType }) => LocationType === "availability-zone");
  // Where both were saved, names say it all: without `zones` nobody can tell which id belongs to which name.
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
    message: `lists offerings by ${LocationType}, and a catalogue needs them by zone`,
    hint: "aws ec2 describe-instance-type-offerings --location-type availability-zone",
  };
}

const NO_REGION: Words = {
  message: "does not tell the region: zone ids alone do not say it",
  hint: "save offerings with --location-type availability-zone, or give --zones with aws ec2 describe-availability-zones",
};

function severalRegions(names: readonly string[]): Words {
  const message = `is, with --zones, of several regions: ${names.join(", ")}`;
  return { message, hint: "build one catalogue for each region" };
}

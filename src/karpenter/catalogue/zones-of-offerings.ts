/** Finds the zones of each instance type, and the region, in EC2's lists. */
import type { Words } from "../../krm/findings/finding.ts";
import type { AvailabilityZone, InstanceTypeOffering } from "../../model/ec2/answers.ts";

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
export function zonesOfOfferings(
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

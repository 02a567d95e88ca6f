/** What a pool may launch before and after a change as plain data for reports. */
import type { DescribedDemand } from "../../explain/describe-demand.ts";
import type { Moved, OfferChange, Shift } from "./compare-offers.ts";

/** What nobody knows is null (docs/diff.md#for-programs-and-pull-requests). */
export interface DescribedOffer extends Readonly<Record<"types" | "zones" | "capacityTypes", DescribedShift>> {
  /** The date of the catalogue. */
  readonly catalogue: string;
}

interface DescribedShift {
  readonly gained: readonly DescribedMove[];
  readonly lost: readonly DescribedMove[];
}

interface DescribedMove {
  readonly name: string;
  readonly by: readonly DescribedEntry[];
}

interface DescribedEntry {
  readonly from: DescribedDemand["from"] | null;
  readonly key: string;
  readonly requirement: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly gone?: true;
}

export function describeOffer({ types, zones, capacityTypes, market }: OfferChange): DescribedOffer {
  return {
    catalogue: market.filter.catalogue.date,
    types: describeShift(types),
    zones: describeShift(zones),
    capacityTypes: describeShift(capacityTypes),
  };
}

function describeShift({ gained, lost }: Shift): DescribedShift {
  return { gained: gained.map(describeMove), lost: lost.map(describeMove) };
}

function describeMove({ name, by }: Moved): DescribedMove {
  return {
    name,
    by: by.map(({ from, key, requirement, file, line, gone }) => ({
      from: from ?? null,
      key,
      requirement,
      file: file ?? null,
      line: line ?? null,
      ...(gone ? { gone } : {}),
    })),
  };
}

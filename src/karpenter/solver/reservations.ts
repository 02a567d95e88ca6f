/** Capacity reservations, the instances that they have left, and which claims hold them. */
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import { RESERVATION_LABELS } from "../../model/requirements/labels.ts";
import type { Catalogue, Offering } from "../catalogue/catalogue.ts";
import { indexesOf, includesType, type TypeMask } from "../catalogue/type-mask.ts";
import { requirementOf } from "../requirements/requirement.ts";
import { addRequirements, compatible, type Requirements } from "../requirements/requirements.ts";
import type { SolverWorld } from "./world.ts";

const RESERVED = "reserved";
const IDS = Object.values(RESERVATION_LABELS).map(([id]) => id!);

export function isReserved({ requirements }: Offering): boolean {
  return requirements.get(CAPACITY_TYPE)?.values.has(RESERVED) === true;
}

interface CountedOffering {
  readonly type: number;
  readonly id: string;
  readonly left: number;
  readonly offering: Offering;
}

/** Those that say how many instances their reservation has left. */
const countedOfferings = memoizeByObject(({ names, offerings }: Catalogue) =>
  [...names.keys()].flatMap((type) =>
    offerings.sets[offerings.of[type]!]!.flatMap((offering): CountedOffering[] => {
      const { requirements, reservationCapacity: left } = offering;
      const [id] = IDS.flatMap((key) => [...(requirements.get(key)?.values ?? [])]);
      return left === undefined || id === undefined || !isReserved(offering) ? [] : [{ type, id, left, offering }];
    }),
  ),
);

/** The reservations that a claim holds; empty without reserved capacity. */
export type Held = ReadonlySet<string>;

export const NONE_HELD: Held = new Set();

type Mode = Pick<SolverWorld, "waitsForFullReservations" | "fallsBack" | "credited">;

/** Other claims hold them, or they are full and there is nothing else. Before 1.15 a full one is not available. */
type Refused = "reserved" | "reservations-full" | "types";

/** `ReservationManager` (reservationmanager.go) and `offeringsToReserve` (nodeclaim.go). */
export class Reservations {
  readonly #catalogue: Catalogue;
  readonly #mode: Mode;
  readonly #counted: readonly CountedOffering[];
  /** By reservation. */
  readonly #left = new Map<string, number>();

  constructor(catalogue: Catalogue, mode: Mode) {
    this.#catalogue = catalogue;
    this.#mode = mode;
    const counted = countedOfferings(catalogue);
    this.#counted = counted;
    for (const { id, left } of counted) this.#left.set(id, Math.min(left, this.#left.get(id) ?? left));
    const { credited } = mode;
    const full = credited === undefined ? undefined : this.#left.get(credited);
    if (full !== undefined) this.#left.set(credited!, full + 1);
  }

  /** The reservations that a claim would hold, or why it may not be like this. */
  of(types: TypeMask, requirements: Requirements, ofClass: Requirements, held: Held): Held | Refused {
    if (this.#counted.length === 0) return NONE_HELD;
    const asked = ofClass.size === 0 ? requirements : addRequirements(requirements, ofClass);
    const isOpen = ({ available, requirements: of }: Offering): boolean =>
      available && compatible(asked, of, this.#catalogue.wellKnown) === undefined;
    const open = this.#counted.filter(({ type, offering }) => includesType(types, type) && isOpen(offering));
    const { waitsForFullReservations, fallsBack, credited } = this.#mode;
    const free = open.filter(({ left, id }) => left > 0 || id === credited);
    const own = free.filter(({ id }) => held.has(id) || this.#left.get(id)! > 0);
    if (own.length > 0) return new Set(own.map(({ id }) => id));
    if (fallsBack !== true && (free.length > 0 || held.size > 0)) return "reserved";
    if (free.length > 0 || open.length === 0 || this.#hasOther(types, isOpen)) return NONE_HELD;
    return waitsForFullReservations && fallsBack !== true ? "reservations-full" : "types";
  }

  #hasOther(types: TypeMask, isOpen: (offering: Offering) => boolean): boolean {
    const { sets, of } = this.#catalogue.offerings;
    const all = new Set(indexesOf(types).map((type) => of[type]!));
    return [...all].some((set) => sets[set]!.some((one) => !isReserved(one) && isOpen(one)));
  }

  /** `Reserve`, then `Release`. */
  hold(before: Held, now: Held): void {
    for (const id of now) if (!before.has(id)) this.#left.set(id, this.#left.get(id)! - 1);
    for (const id of before) if (!now.has(id)) this.#left.set(id, this.#left.get(id)! + 1);
  }
}

/** `FinalizeScheduling` (nodeclaim.go): a claim that holds reservations launches into them alone. */
export function withReservations(requirements: Requirements, held: Held, { wellKnown }: Catalogue): Requirements {
  if (held.size === 0) return requirements;
  const key = IDS.find((id) => wellKnown.has(id))!;
  const capacity = requirementOf({ key: CAPACITY_TYPE, operator: "In", values: [RESERVED] });
  const ids = requirementOf({ key, operator: "In", values: [...held].toSorted() });
  return addRequirements(new Map([...requirements, [CAPACITY_TYPE, capacity]]), new Map([[key, ids]]));
}

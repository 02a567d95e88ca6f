/** Finds types with enough resources for a pod beside its DaemonSets, or what is missing. */
import { type Amounts, allocatableTypes, sumOf } from "../../karpenter/scheduling/resources.ts";
import {
  both,
  countTypes,
  either,
  includesType,
  indexesOf,
  isNone,
  type TypeMask,
  without,
} from "../../karpenter/catalogue/type-mask.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import type { DaemonGroup } from "../../karpenter/scheduling/daemon-overhead.ts";
import { amountText, numberText, and } from "../explain/amounts.ts";

/** The amount on a node depends on the volumes of its node class, not on its instance type. */
const NOT_OF_TYPES = "ephemeral-storage";

/** @param types the types that match the pod's labels */
export function typesWithRoom(
  requests: Amounts,
  types: TypeMask,
  groups: readonly DaemonGroup[],
  catalogue: Catalogue,
): TypeMask {
  const table = allocatableTypes(catalogue);
  return groups.reduce(
    (found, group) => {
      const here = both(types, group.types);
      return isNone(here)
        ? found
        : either(found, both(here, table.fitting(compared(sumOf([requests, group.requests])))));
    },
    without(types, types),
  );
}

function compared(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([name]) => name !== NOT_OF_TYPES));
}

interface Room {
  readonly type: number;
  readonly name: string;
  /** The amount that DaemonSets leave. */
  readonly left: (resource: string) => bigint;
  readonly all: (resource: string) => bigint;
}

/** @param types the types of `groups` that match the pod's labels: at least one, and none with enough room */
export function roomSentence(
  requests: Amounts,
  types: TypeMask,
  groups: readonly DaemonGroup[],
  catalogue: Catalogue,
): string {
  const rooms = roomsOf(types, groups, catalogue);
  const asked = [...compared(requests)].filter(([name, amount]) => amount > 0n || name === "pods");
  const beyond = asked.filter(([name, amount]) => rooms.every(({ left }) => left(name) < amount));
  if (beyond.length > 0) return beyond.map(([name, amount]) => tooMuch(name, amount, rooms, catalogue)).join("; ");
  const scarce = asked.filter(([name, amount]) => rooms.some(({ left }) => left(name) < amount));
  const start = `asks for ${and(scarce.map(([name, amount]) => amountText(name, amount)))}; none of ${count(countTypes(types))} has that much of each`;
  for (const [name] of scarce) {
    const others = scarce.filter(([other]) => other !== name);
    const near = rooms.filter(({ left }) => others.every(([other, amount]) => left(other) >= amount));
    const best = largest(near, name);
    if (best !== undefined)
      return `${start}: with enough of the rest, ${best.name} has the most, ${roomText(name, best)}`;
  }
  return start;
}

function tooMuch(name: string, amount: bigint, rooms: readonly Room[], catalogue: Catalogue): string {
  const asks = name === "pods" ? "needs room for a pod" : `asks for ${amountText(name, amount)}`;
  const best = largest(rooms, name)!;
  if (best.all(name) > 0n)
    return `${asks}; the largest type left (${best.name}) has ${roomText(name, best)}${typo(name, amount)}`;
  const near = nearResource(name, catalogue);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  const none =
    rooms.length === 1 ? `the only type left (${best.name}) has none` : `none of ${count(rooms.length)} has any`;
  return `${asks}; ${none}${hint}`;
}

/** Among devices only, so that `gpu` does not suggest `cpu`. */
function nearResource(name: string, { allocatable }: Catalogue): string | undefined {
  const devices = [...allocatable.keys()].filter((known) => known.includes("/") && known !== name);
  return devices.find((known) => known.endsWith(`/${name}`)) ?? nearestWord(name, devices, 3);
}

function roomText(name: string, { all, left }: Room): string {
  const taken = all(name) - left(name);
  const has = numberText(name, all(name));
  return taken === 0n ? has : `${has}, of which DaemonSets take ${numberText(name, taken)}`;
}

/** Karpenter's own hint for an absurd number of CPUs. */
function typo(name: string, amount: bigint): string {
  return name === "cpu" && amount >= 10n ** 15n ? " (CPU request >= 1 Million, m vs M typo?)" : "";
}

function count(types: number): string {
  return `the ${String(types)} instance types left`;
}

function largest(rooms: readonly Room[], resource: string): Room | undefined {
  return rooms.reduce<Room | undefined>(
    (best, room) => (best === undefined || room.left(resource) > best.left(resource) ? room : best),
    undefined,
  );
}

function roomsOf(types: TypeMask, groups: readonly DaemonGroup[], catalogue: Catalogue): Room[] {
  const table = allocatableTypes(catalogue);
  return indexesOf(types).map((type) => {
    const taken = groups.find((group) => includesType(group.types, type))?.requests;
    const all = (resource: string): bigint => table.of(resource, type);
    const left = (resource: string): bigint => all(resource) - (taken?.get(resource) ?? 0n);
    return { type, name: catalogue.names[type]!, all, left };
  });
}

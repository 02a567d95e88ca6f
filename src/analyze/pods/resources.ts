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
import { ephemeralVolume } from "../../karpenter/node-class/node-resources.ts";
import { locationOf } from "../../krm/places/location.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { DaemonGroup } from "../../karpenter/scheduling/daemon-overhead.ts";
import { amountText, numberText, and } from "../explain/amounts.ts";
import type { PodPool } from "./pool.ts";

/** The amount on a node depends on the volumes of its node class. Without the class it is not compared. */
const STORAGE = "ephemeral-storage";

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
        : either(found, both(here, table.fitting(compared(sumOf([requests, group.requests]), catalogue))));
    },
    without(types, types),
  );
}

function compared(amounts: Amounts, { capacity }: Catalogue): Amounts {
  return capacity?.has(STORAGE) === true ? amounts : new Map([...amounts].filter(([name]) => name !== STORAGE));
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
  { nodes: catalogue, pool }: Pick<PodPool, "nodes" | "pool">,
): string {
  const rooms = roomsOf(types, groups, catalogue);
  const asked = [...compared(requests, catalogue)].filter(([name, amount]) => amount > 0n || name === "pods");
  const beyond = asked.filter(([name, amount]) => rooms.every(({ left }) => left(name) < amount));
  if (beyond.length > 0) {
    const texts = beyond.map(([name, amount]) => {
      const volume = name === STORAGE ? volumeText(pool) : "";
      return `${tooMuch(name, amount, rooms, catalogue)}${volume}`;
    });
    return texts.join("; ");
  }
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

/** The field that sets the size of the volume, or the one that could. */
function volumeText({ mode, nodeClass, nodeClassRef: { name } }: ResolvedPool): string {
  if (mode !== "raw" || nodeClass === undefined) return "";
  const { nano, device, path } = ephemeralVolume(nodeClass.value);
  const size = numberText(STORAGE, nano);
  if (path !== undefined) return `: node class ${name} maps ${size} (${locationOf(nodeClass, path)})`;
  const what = device === undefined ? "no volume" : `no size for ${device}`;
  return `: node class ${name} maps ${what}, so it is ${size} (${locationOf(nodeClass, ["spec"])})`;
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

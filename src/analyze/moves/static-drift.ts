/** How many drifted nodes of static pools Karpenter replaces at once. */
import type { Candidate, Command } from "../../karpenter/consolidation/cluster.ts";
import { compatible } from "../../karpenter/requirements/requirements.ts";
import { addRequirements } from "../../karpenter/requirements/requirements.ts";
import { admitsAbsence, has } from "../../karpenter/requirements/requirement.ts";
import { advertisedValues } from "../../karpenter/catalogue/type-filter.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { isReserved } from "../../karpenter/solver/reservations.ts";
import type { PodPool } from "../pods/pool.ts";
import type { Disruption } from "./running-cluster.ts";
import { type DisruptionWorld, nodesOfPool } from "../disrupt/world.ts";

/** `ComputeCommands` in pkg/controllers/disruption/staticdrift.go. The replacement is any node of the pool. */
export function replaceStatic({ candidates, allowed, world, targets, cluster }: Disruption): readonly Command[] {
  const all = Map.groupBy(candidates("Drifted", true), ({ pool }) => pool.name);
  const budgets = allowed("Drifted");
  return [...all].flatMap(([name, own]): Command[] => {
    const room = budgets.get(name) ?? 0;
    const pool = world.pools.get(name)!;
    const counted = claimsOf(world, name);
    if (room === 0 || counted.active > pool.replicas!) return [];
    const most = Math.min(room, own.length);
    const target = targets.find((one) => one.pool.name === name);
    const first = (some: readonly Candidate[]): Command[] =>
      cluster.terminatesFirst && pool.refills
        ? some.map((candidate) => ({ ...commandFor(candidate), decision: "terminate-first" }))
        : [];
    const full =
      cluster.terminatesFirst && target !== undefined ? fullReservations(target, cluster.catalogue) : undefined;
    if (full !== undefined) {
      const holds = ({ capacityType, reservation }: Candidate): boolean =>
        capacityType === "reserved" && reservation !== undefined && full.has(reservation);
      return first([...own.filter(holds), ...own.filter((one) => !holds(one))].slice(0, most).filter(holds));
    }
    const left = Math.max(0, (pool.limit ?? Infinity) - counted.all);
    const granted = Math.min(most, left);
    if (granted === 0) return first(own.slice(0, most));
    return own.slice(0, granted).map(commandFor);
  });
}

function commandFor(candidate: Candidate): Command {
  return { candidates: [candidate], decision: "replace", replacements: [], existing: new Map() };
}

/** `NodePoolState`: NodeClaims that are going do not count as active. */
function claimsOf(world: DisruptionWorld, pool: string): { readonly active: number; readonly all: number } {
  const nodes = nodesOfPool(world, pool);
  return { active: nodes.filter(({ life }) => !life.deleting).length, all: nodes.length };
}

/** `staticReservations` (helpers.go): the reservations if all that the pool may launch is in full ones. */
function fullReservations({ requirements, ofClass }: PodPool, catalogue: Catalogue): ReadonlySet<string> | undefined {
  const { names, offerings, wellKnown } = catalogue;
  const asked = addRequirements(requirements, ofClass);
  const offered = new Set<string>();
  const suits = (type: number): boolean =>
    [...asked.values()].every((one) => {
      const values = catalogue.labels.has(one.key) ? advertisedValues(catalogue, type, one.key) : undefined;
      return (
        values === undefined || values.some((value) => has(one, value)) || (values.length === 0 && admitsAbsence(one))
      );
    });
  for (const type of names.keys())
    for (const offering of suits(type) ? offerings.sets[offerings.of[type]!]! : []) {
      if (compatible(asked, offering.requirements, wellKnown) !== undefined) continue;
      if (!isReserved(offering) || (offering.available && offering.reservationCapacity !== 0)) return undefined;
      if (offering.available)
        for (const [key, { values }] of offering.requirements)
          if (key.endsWith("capacity-reservation-id")) for (const id of values) offered.add(id);
    }
  return offered;
}

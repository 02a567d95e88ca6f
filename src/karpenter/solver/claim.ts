/** A NodeClaim that the scheduler fills: what it is left with after each pod. */
import { both, either, isNone, type TypeMask } from "../catalogue/type-mask.ts";
import type { Requirements } from "../requirements/requirements.ts";
import { samePort } from "../scheduling/daemon-overhead.ts";
import { plus, type Vector } from "./amounts.ts";
import type { NodePlan } from "./node-plan.ts";
import type { PodShape } from "./pod-shape.ts";
import type { Held } from "./reservations.ts";
import type { Tie } from "./topology.ts";
import type { SolverPod } from "./world.ts";

export interface Claim {
  readonly id: number;
  readonly host: string;
  readonly plan: NodePlan;
  readonly pods: SolverPod[];
  readonly ties: Tie[];
  requirements: Requirements;
  types: TypeMask;
  /** Of its pods, without DaemonSets. */
  requests: Vector;
  ports: PodShape["ports"];
  reserved: Held;
}

/** What the claim would have with one more pod. */
export interface Change {
  readonly requirements: Requirements;
  readonly types: TypeMask;
  readonly ties: readonly Tie[];
  readonly reserved: Held;
}

export type Room = { readonly types: TypeMask } | { readonly why: "host-port" | "no-room" };

/** The types that have room for a pod beside the pods of the claim and the DaemonSets of each type. */
export function roomFor(
  shape: PodShape,
  requests: Vector,
  claim: Pick<Claim, "types" | "requests" | "ports" | "plan">,
): Room {
  const { types, ports, plan } = claim;
  const total = plus(claim.requests, requests);
  if (shape.ports.length > 0 && overlap(shape.ports, ports)) return { why: "host-port" };
  let found: TypeMask | undefined;
  let isFree = false;
  for (const group of plan.groups) {
    if (shape.ports.length > 0 && overlap(shape.ports, group.ports)) continue;
    isFree = true;
    const here = group.types === undefined ? types : both(types, group.types);
    if (isNone(here)) continue;
    const fitting = plan.table.fitting(group.requests === undefined ? total : plus(total, group.requests), here);
    found = found === undefined ? fitting : either(found, fitting);
  }
  if (!isFree) return { why: "host-port" };
  return found === undefined || isNone(found) ? { why: "no-room" } : { types: found };
}

export function overlap(own: PodShape["ports"], taken: PodShape["ports"]): boolean {
  return own.some((port) => taken.some((other) => samePort(port, other)));
}

/** A step of a plan: one object with its action and the reason; and the input of plans. */
import { type KubeObject, idOf } from "../../model/objects/kube-object.ts";
import type { FieldDifference } from "./compare-live.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { OwnershipFacts } from "../inventory/ownership.ts";

/**
 * - `create`, `update`, `in-sync`: as named
 * - `hold`: has a wrapper, and cannot be rendered or is incomplete; not changed
 * - `foreign-object`: an object with the same name exists that anp does not own; not changed
 * - `unclaimed`: has anp's marks and no wrapper, and the inventory does not list it; not changed
 * - `managed-by-operator`: HyperShift's operator writes it
 * - `prune`: anp owns it, and its wrapper is gone
 * - `keep`: would be pruned, but a safeguard keeps it
 * - `going`: anp owns it, its wrapper is gone, and it is being deleted but has finalizers
 * - `release`: anp owns it, its wrapper is gone, and users may write NodePools: from now on it is theirs
 */
export type StepAction =
  | "create"
  | "update"
  | "in-sync"
  | "hold"
  | "foreign-object"
  | "unclaimed"
  | "managed-by-operator"
  | "prune"
  | "keep"
  | "going"
  | "release";

export interface Step {
  readonly action: StepAction;
  readonly kind: string;
  readonly name: string;
  readonly desired: KubeObject | undefined;
  readonly live: LiveObject | undefined;
  /** The fields that an update changes, or that differ on an object that is not written. */
  readonly differences: readonly FieldDifference[];
  /** Those of them that another writer changed since anp applied the object. */
  readonly drift: readonly FieldDifference[];
  /** The whole spec is replaced: managedFields are not as anp left them, or applying alone is not enough. */
  readonly whole: boolean;
  /** anp owns it, and the inventory lacks its uid or has it unconfirmed. */
  readonly takesIn: boolean;
  /** Only its marks say that anp owns it, and no user confirmed that: it is not deleted. */
  readonly unconfirmed: boolean;
  /** Why it is held, kept or left alone. Users of the guest cluster read it, so it has no advice for operators. */
  readonly reason: string;
  /** What an operator can do about it; empty if there is nothing. */
  readonly advice: string;
  /** Set if another anp keeps undoing the writes of this one; empty if none does. */
  readonly writerConflict: string;
}

export interface PlanInput extends OwnershipFacts {
  /** In the order of applying. */
  readonly desired: readonly KubeObject[];
  /** Why an object with a wrapper is not in `desired`, by `Kind/name`. */
  readonly held: ReadonlyMap<string, string>;
  /** All live objects of the kinds that anp applies. */
  readonly live: readonly LiveObject[];
  /** False if there may be more wrappers than were read: then orphans are unknown. */
  readonly wrappersKnown: boolean;
  /** For kinds of which a wrapper is missing: when their CRD was created or deleted (RFC 3339); undefined if that is unknown. */
  readonly wrappersSince?: ReadonlyMap<string, string | undefined>;
  /** The uids of live wrappers, by `OpenshiftNodePool/web`. */
  readonly wrapperUids?: ReadonlyMap<string, string>;
}

export function nothing(kind: string, name: string): Omit<Step, "action"> {
  const object = { kind, name, desired: undefined, live: undefined, differences: [], drift: [] };
  return { ...object, whole: false, takesIn: false, unconfirmed: false, reason: "", advice: "", writerConflict: "" };
}

/** Whether `--adopt` names a live object, by name or by kind and name. */
export function isAdopted(live: LiveObject, adopt: ReadonlySet<string>): boolean {
  return adopt.has(live.metadata.name) || adopt.has(idOf(live));
}

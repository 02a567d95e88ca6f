/** One object of a plan: what is to become of it and why; and what plans are made of. */
import type { KubeObject } from "../../model/kube-object.ts";
import type { FieldDifference } from "./compare-live.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { Claims } from "../inventory/claim.ts";

/**
 * - `create`, `update`, `in-sync`: as it says
 * - `hold`: has a wrapper, and cannot be rendered or is not complete: stays as it is
 * - `foreign-object`: one of its name stands there and is not ours: never touched
 * - `unclaimed`: carries our marks, has no wrapper, and the inventory does not know it: never touched
 * - `managed-by-operator`: HyperShift's operator writes it
 * - `prune`: ours, and its wrapper is gone
 * - `keep`: would be pruned, and a guard says no
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
  | "keep";

export interface Step {
  readonly action: StepAction;
  readonly kind: string;
  readonly name: string;
  readonly desired: KubeObject | undefined;
  readonly live: LiveObject | undefined;
  /** The fields that an update changes, or that differ on an object that is not written. */
  readonly differences: readonly FieldDifference[];
  /** Those of them that somebody else changed since anp applied the object. */
  readonly drift: readonly FieldDifference[];
  /** Its managedFields are not as anp left them, or do not let applying alone do it: the spec is written whole. */
  readonly whole: boolean;
  /** Ours, and the inventory does not have its uid yet. */
  readonly takesIn: boolean;
  /** Why it is held, kept or left alone. */
  readonly reason: string;
  /** That another anp writes it as well, and has set back what this one wrote again and again; empty where none has. */
  readonly rivalry: string;
}

export interface PlanInput extends Claims {
  /** In the order of applying. */
  readonly desired: readonly KubeObject[];
  /** Why an object with a wrapper is not among the desired, by `Kind/name`. */
  readonly held: ReadonlyMap<string, string>;
  /** All live objects of the kinds that anp applies. */
  readonly live: readonly LiveObject[];
  /** False where there may be more of them: then nobody can tell what has lost its wrapper. */
  readonly wrappersKnown: boolean;
  /** Since when the cluster has kept live wrappers of a kind without losing them all (RFC 3339), where one is missing; undefined where nobody can tell. */
  readonly wrappersSince?: ReadonlyMap<string, string | undefined>;
  /** The uids of live wrappers, by `OpenshiftNodePool/web`. */
  readonly wrapperUids?: ReadonlyMap<string, string>;
}

const NOTHING = { differences: [], drift: [], whole: false, takesIn: false, reason: "", rivalry: "" } as const;

export function nothing(kind: string, name: string): Omit<Step, "action"> {
  return { kind, name, desired: undefined, live: undefined, ...NOTHING };
}

/** What can be told of a watch that runs elsewhere, by what it leaves in the API. */
import type { Condition } from "../tell/condition.ts";
import type { PolicyMode } from "../objects/policy-life.ts";
import type { ReconcileResult } from "../tell/pass-result.ts";
import type { StepResult } from "../apply/execute.ts";

/**
 * As of a pass, and `untried`: nobody works on the cluster, or has not for a quarter of an hour. Undefined where nobody
 * can tell.
 */
export type ObservedResult = "ok" | "held" | "failed" | "untried" | undefined;

/** What the watch said last of a hosted cluster. */
export interface Told {
  readonly result: ObservedResult;
  /** Undefined where nobody can tell. */
  readonly mode: PolicyMode | undefined;
  /** Undefined where nothing was said. */
  readonly ready: Pick<Condition, "status" | "reason" | "message"> | undefined;
  /** Since when it says so. */
  readonly since: Date | undefined;
  /** What else there is to know of it, in words. */
  readonly notes: readonly string[];
}

/** Who works on a hosted cluster. */
export type Keeper =
  | { readonly state: "works"; readonly replica: string }
  | { readonly state: "nobody"; readonly why: string }
  | { readonly state: "unknown"; readonly why: string };

export interface MadeObject {
  readonly kind: string;
  readonly name: string;
}

export interface ToldEvent {
  readonly at: Date;
  readonly type: string;
  readonly reason: string;
  readonly about: string;
  readonly note: string;
  /** How often it was told. */
  readonly count: number;
}

/** How what is live compares with what this anp would render. */
export interface GuestSight extends Pick<ReconcileResult, "findings" | "verdicts" | "inspect"> {
  readonly results: readonly StepResult[];
  /** Why nobody can tell from here how an object stands, by `Kind/name`. */
  readonly unknown: ReadonlyMap<string, string>;
  readonly events: readonly ToldEvent[];
  readonly at: Date;
}

/** The last look at a guest cluster, or why there is none. */
export type GuestReading =
  | { readonly state: "read"; readonly sight: GuestSight }
  | { readonly state: "unread"; readonly why: string };

/** Another object with each change of it. */
export interface ObservedCluster {
  readonly name: string;
  readonly hostedCluster: string;
  readonly told: Told;
  readonly keeper: Keeper;
  /** By the inventory; undefined where it cannot be read. */
  readonly made: readonly MadeObject[] | undefined;
  /** Of the management cluster, newest last. */
  readonly events: readonly ToldEvent[];
  readonly guest: GuestReading;
  readonly dryRun: boolean;
}

export interface ObservedReplica {
  readonly replica: string;
  readonly lives: boolean;
  readonly shards: number | undefined;
}

export interface ObservedFleet {
  /** All of the management side has been asked for once. */
  readonly isAsked: boolean;
  readonly clusters: readonly ObservedCluster[];
  readonly replicas: readonly ObservedReplica[];
  /** What cannot be read, so that something is not known. */
  readonly problems: readonly string[];
}

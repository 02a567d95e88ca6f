/** What Karpenter decides within one of its own tests: what it started from, and what came out. */
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import type { MethodReply } from "../disruption-worlds/ask-karpenter.ts";
import type { Outcome } from "../plan-worlds/ask-karpenter.ts";
import type { Manifest, WorldType } from "../plan-worlds/world.ts";

/** What Karpenter starts from. */
export interface Start {
  /** The full name of the spec. */
  readonly spec: string;
  readonly file: string;
  readonly line: number;
  /** The function; a test can make a scheduler of its own, and call Solve with pods. */
  readonly of: "Schedule" | "Solve" | "";
  /** Of a scheduler of the test's own. */
  readonly mode: { readonly strict: boolean; readonly credited: number };
  readonly objects: readonly Manifest[];
  readonly pods: readonly Manifest[];
  /** Karpenter's state of the cluster. */
  readonly nodes: readonly RecordedNode[];
  /** By pool. */
  readonly typesOf: Readonly<Record<string, readonly RecordedType[]>>;
  readonly typeErrors: Readonly<Record<string, string>>;
  readonly wellKnownLabels: readonly string[];
  readonly options: {
    readonly MinValuesPolicy: "Strict" | "BestEffort";
    readonly PreferencePolicy: "Respect" | "Ignore";
    readonly IgnoreDRARequests: boolean;
    readonly FeatureGates: Readonly<Record<string, boolean>>;
    readonly SchedulerConfig: {
      readonly podTopologySpread: { readonly defaultConstraints: readonly Manifest[] };
    } | null;
  };
  readonly mostTypes: number;
  readonly now: number;
  readonly error: string;
}

export interface Round extends Start {
  readonly outcome: Outcome | null;
}

/** A run of a method of the disruption controller. */
export interface MethodRound extends Start, Pick<MethodReply, "candidates" | "commands"> {
  /** The name of its type. */
  readonly method: string;
  /** Whether its commands are looked at again after a while. */
  readonly validates: boolean;
}

export interface RecordedNode {
  readonly node: Manifest | null;
  readonly nodeClaim: Manifest | null;
  readonly deleting: boolean;
  /** Whether Karpenter expects a pod on it. */
  readonly nominated: boolean;
  /** Whether Karpenter expects pods of a CapacityBuffer on it. */
  readonly buffered: boolean;
}

export interface RecordedType extends WorldType {
  readonly requirements: readonly NodeSelectorRequirement[];
  readonly volumeLimits: Readonly<Record<string, number>> | null;
  readonly hasDevices: boolean;
  readonly hasOverrides: boolean;
}

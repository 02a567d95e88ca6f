/** The public types of the library, which the build writes to dist/library.d.cts. */
import type { FindingsAnswer } from "../analyze/check/check-answer.ts";
import type { ExplainAnswer } from "../analyze/check/explain-answer.ts";
import type { DescribedDiff } from "../analyze/diff/diff-answer.ts";
import type { PlanAnswer } from "../analyze/plan/plan-answer.ts";
import type { SharedSettings } from "../model/settings/settings.ts";

/** One file. As on a disk, its path determines its hosted cluster's folder and whether rules in it are trusted. */
export interface InputFile {
  /** Relative, with `/`; used in findings. */
  readonly path: string;
  readonly text: string;
}

export type Options = { readonly [N in keyof SharedSettings]: SharedSettings[N] | undefined };

/** Options of functions that also accept Karpenter's own NodePools. */
export interface PolicyOptions extends Options {
  /** The path of one of the files: the AutoNodePolicy to check, or to render, the NodePools of the others with. */
  readonly policy?: string | undefined;
}

export interface RenderOptions extends PolicyOptions {
  /** Writes the user data of Secrets into the EC2NodeClasses; it contains a token. */
  readonly includeUserData?: boolean | undefined;
}

export interface CheckOptions extends PolicyOptions {
  /** `rosa`: the rules of ROSA are added. `production`: the findings of that set are warnings. */
  readonly rules?: "rosa" | "production" | undefined;
}

/** One finding of `anp check -o json`; docs/findings.md explains each code. */
export type Finding = FindingsAnswer["findings"][number];

/** A rendered object: plain data, in the order of its keys. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** One pool of `anp explain -o json` (docs/explain.md). */
export type NodePoolExplanation = ExplainAnswer["nodePools"][number];

/** One entry on a label key, and its place. */
export type PoolRequirement = NodePoolExplanation["conflict"][number];

type Prices = NonNullable<NodePoolExplanation["prices"]>;
export type PriceOrigin = Pick<Prices, "source" | "region" | "date" | "currency" | "insteadOf">;
export type PriceSpread = NonNullable<Prices["perHour"]>;
export type Price = PriceSpread["cheapest"];

export interface DiffOptions extends Options {
  /** The time of the change, such as `2026-11-23T09:00:00Z`: the library does not read the clock. */
  readonly at: string;
  /** Output of `kubectl get nodeclaims,nodes -o json`: the existing nodes. */
  readonly nodeData?: string | undefined;
  /** The assumed time to replace one node; defaults to `5m`. */
  readonly nodeTime?: string | undefined;
  /** Fields to ignore, such as `spec.weight`. */
  readonly ignore?: readonly string[] | undefined;
}

/** As `anp diff -o json` prints it (docs/diff.md). Without changes if a side is invalid. */
export type Diff = DescribedDiff & { readonly findings: readonly Finding[] };

export type DiffSummary = Diff["summary"];
export type Change = Diff["changes"][number];
export type ChangedResource = Change["resource"];
/** What a pool gains and loses in what it may launch. */
export type OfferChange = NonNullable<Change["offer"]>;
/** When a change has converged on the running nodes. */
export type Settles = NonNullable<Change["settles"]>;
/** Prices of the types that a pool may launch before and after, and of its nodes. */
export type ChangeCost = NonNullable<Change["cost"]>;
/** The change of a policy. */
export type PolicyChange = Diff["policies"][number];
export type OfferShift = OfferChange["types"];
export type OfferMove = OfferShift["gained"][number];
/** Prices of the types that a pool may launch. */
export type PriceEnvelope = NonNullable<ChangeCost["before"]>;
/** Sums over the `priced` nodes; a month has 730 hours. */
export type NodeSums = Pick<NonNullable<ChangeCost["nodes"]>, "priced" | "unpriced" | "perHour" | "perMonth">;
/** An example node that only one of the policies admits, and the wrapper that gets it. */
export type Witness = NonNullable<PolicyChange["witnesses"]["gained"]>;

export interface PlanOptions extends PolicyOptions {
  /** Pods and workloads to plan, and DaemonSets beside them. */
  readonly pods: readonly InputFile[];
  /** The cluster now: output of `anp collect`, or of `kubectl get -A -o json`. */
  readonly nodeData?: string | undefined;
  /** The time of `nodeData`, such as `2026-11-23T09:00:00Z`: the library does not read the clock. */
  readonly at?: string | undefined;
  /** The instance types of a region, as `anp catalogue build` writes them; by default those that anp ships. */
  readonly catalogue?: string | undefined;
}

/** As `anp plan -o json` prints it (docs/plan.md). */
export type Plan = PlanAnswer;
export type PlannedNodeClaim = Plan["nodeClaims"][number];

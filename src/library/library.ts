/** The package as a library: manifests as texts in, plain data out (docs/library.md). */
import { checkClusters } from "../analyze/check/check.ts";
import { describeClusters } from "../analyze/explain/describe-clusters.ts";
import { explainClusters } from "../analyze/explain/explain.ts";
import { answerResourceList } from "../commands/fn/answer-resource-list.ts";
import { clustersOf, heldAgainst, type LoadedClusters } from "../commands/input/load-clusters.ts";
import { policyIn } from "../commands/input/load-policy.ts";
import { refusalOfNothing, renderLoaded } from "../commands/input/render-loaded.ts";
import { editResourceList } from "../krm/resource-list/edit-resource-list.ts";
import { hasErrors } from "../krm/finding.ts";
import { readResourceList } from "../krm/resource-list/read-resource-list.ts";
import { formatObjects } from "../krm/write.ts";
import type { Bundle } from "../model/bundle.ts";
import type { RenderOptions as Rendering } from "../resolve/settings.ts";
import { functionResults } from "../report/findings/function-results.ts";
import { bundlesOfFiles, loadFiles } from "./bundles-of-files.ts";
import { checkFiles, checkOptions } from "./check-arguments.ts";
import { checkDiffOptions, diffFiles } from "./diff-files.ts";
import { publicFindings } from "./public-findings.ts";
import { shippedCatalogue, shippedPrices } from "./shipped-catalogue.ts";
import { resolveInTurn } from "../resolve/resolve.ts";

// Whatever is exported here stands in this file: the build writes its types to dist/library.d.cts, which imports nothing.

/** One file. As on a disk, its path says which hosted cluster's folder it is in and whether rules are believed there. */
export interface InputFile {
  /** Relative, with `/`; findings name it. */
  readonly path: string;
  readonly text: string;
}

export interface Options {
  /** The hosted control plane's namespace, where the files are for several. */
  readonly hostedCluster?: string | undefined;
  /** The only folder that policies and other rules are read from; one elsewhere is an error. */
  readonly policyDir?: string | undefined;
  /** Having no AutoNodePolicy is an error. */
  readonly requirePolicy?: boolean | undefined;
  /** The Karpenter to render for; else that of the RenderConfig, else `hypershift`. */
  readonly profile?: "hypershift" | "karpenter-1.14" | "karpenter-1.15" | undefined;
}

export interface RenderOptions extends Options {
  /** Writes the user data of Secrets into the EC2NodeClasses: it is a secret. */
  readonly includeUserData?: boolean | undefined;
}

/** Of the questions about Karpenter's own NodePools, which need no hosted cluster. */
export interface PolicyOptions extends Options {
  /** The path of one of the files: the AutoNodePolicy that the NodePools of the others are held against. */
  readonly policy?: string | undefined;
}

export interface CheckOptions extends PolicyOptions {
  /** The guard rails that a provider adds. */
  readonly rules?: "rosa" | undefined;
}

/** What `anp check -o json` prints one of; docs/findings.md explains each code. */
export interface Finding {
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly resource?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  };
  /** Where the answer is about several. */
  readonly hostedCluster?: string;
  /** A JSON path, such as `spec.template.spec.requirements[0].operator`. */
  readonly field?: string;
  readonly file?: string;
  /** From 1, as the column, which counts characters. */
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
}

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

/**
 * The manifests that a hosted cluster should run, in the order to apply them. Where a finding is an error there are none.
 *
 * @throws Error where the files are for several hosted clusters and none is selected
 */
export function render(
  files: readonly InputFile[],
  options: RenderOptions = {},
): { readonly manifests: readonly Manifest[]; readonly findings: readonly Finding[] } {
  checkFiles(files);
  checkOptions(options, { includeUserData: "boolean" });
  const loaded = bundlesOfFiles(files, options);
  const { bundles } = loaded.value;
  if (!hasErrors(loaded.findings) && bundles.length > 1) throw new Error(severalClusters(bundles));
  const { value, findings: found } = renderLoaded(
    loaded,
    {
      ...rendering(options),
      includeUserData: options.includeUserData,
    },
    resolveInTurn,
  );
  const findings = [...found, ...refusalOfNothing(loaded)];
  const objects = hasErrors(findings) ? [] : value.clusters.flatMap((cluster) => cluster.objects);
  return { manifests: objects.map(({ object }) => object), findings: publicFindings(findings) };
}

/** Manifests as `anp render` prints them; nothing for none. */
export function toYaml(manifests: readonly Manifest[]): string {
  return formatObjects(manifests, "yaml");
}

/** Everything that is wrong, surprising or worth knowing, for every hosted cluster of the files; no baseline is read. */
export function check(
  files: readonly InputFile[],
  options: CheckOptions = {},
): { readonly findings: readonly Finding[] } {
  checkFiles(files);
  checkOptions(options, { rules: ["rosa"], policy: "string" });
  const { clusters, policy, findings, onOutputs, readable } = loadClusters(files, options);
  // Nothing is written here, so nothing is left out of it.
  const found = findings.filter(({ code }) => code !== "user-data-left-out");
  const rules = { rosa: options.rules === "rosa", policy, pricesFor: shippedPrices };
  const asked = readable ? checkClusters(clusters, shippedCatalogue(), rules) : [];
  return { findings: publicFindings([...found, ...onOutputs(), ...asked]) };
}

/** One side's entry on a label key, and where it is written. */
export interface Demand {
  readonly key: string;
  readonly from: "policy" | "user" | "label" | "class";
  /** In Karpenter's print form, such as `In [a b]`. */
  readonly requirement: string;
  readonly file: string;
  readonly line: number;
}

export interface Price {
  readonly type: string;
  readonly price: number;
  readonly capacityType: string | null;
}

export interface PriceSpread {
  readonly cheapest: Price;
  readonly median: Price;
  readonly dearest: Price;
}

/** One pool of `anp explain -o json` (docs/explain.md). */
export interface NodePoolExplanation {
  readonly name: string;
  readonly hostedCluster: string | undefined;
  readonly verdict: "ok" | "unknown" | "narrowed" | "unsatisfiable" | "bypassed";
  readonly provider: { readonly name: string; readonly title: string };
  readonly file: string;
  readonly line: number;
  /** Null where no AutoNodePolicy was read. */
  readonly policy: { readonly file: string; readonly line: number } | null;
  readonly requirements: readonly {
    readonly key: string;
    readonly policy: readonly string[];
    readonly user: readonly string[];
    readonly effective: string;
    readonly set: {
      readonly operator: string;
      readonly values: readonly string[];
      /** A string where the number is too large for a JavaScript number. */
      readonly gte: number | string | null;
      readonly lte: number | string | null;
      readonly minValues: number | null;
    };
    readonly outcome:
      | "policy-only"
      | "user-only"
      | "same"
      | "narrowed"
      | "empty-blocking"
      | "empty-bypassed"
      | "widened"
      | "drifts"
      | "ignored"
      | "foreign";
    readonly entries: readonly Demand[];
  }[];
  readonly instanceTypes: { readonly total: number; readonly compatible: number; readonly names: readonly string[] };
  /** What rules out instance types: `types` by itself, `only` and by nothing else. */
  readonly eliminated: readonly (Demand & { readonly types: number; readonly only: number })[];
  /** The smallest set of demands that leaves no node. */
  readonly conflict: readonly Demand[];
  /** What else leaves none, each of demands that no other conflict has. */
  readonly otherConflicts: readonly (readonly Demand[])[];
  readonly minValuesMissed: readonly { readonly key: string; readonly wanted: number; readonly found: number }[];
  readonly zones: { readonly allowed: readonly string[]; readonly excluded: readonly string[] };
  /** List prices of the region of the RenderConfig, else of us-east-1; null where there are none of it. */
  readonly prices: {
    readonly source: string;
    readonly region: string | null;
    readonly date: string;
    readonly currency: string;
    readonly perHour: PriceSpread | null;
    readonly perVcpu: PriceSpread | null;
    readonly unpriced: readonly string[];
    /** What each entry costs: the cheapest type without it. */
    readonly costs: readonly (Demand & Price)[];
  } | null;
  readonly taints: readonly string[];
  readonly nodeClass: string;
  readonly weight: number;
  /** With the option `policy`: what would become of the pool if the policy's entries stood before its own. */
  readonly underPolicy?: {
    readonly verdict: "within" | "narrowed" | "unsatisfiable" | "bypassed";
    readonly compatible: number;
    /** On which label keys the pool admits more than the policy. */
    readonly beyond: readonly {
      readonly key: string;
      readonly policy: readonly Demand[];
      readonly user: readonly Demand[];
    }[];
  };
  /** Karpenter tries pools in this order. */
  readonly order: { readonly place: number; readonly of: number };
}

/** Whether each pool gets nodes, from which instance types of the shipped catalogue, and what rules out the others. */
export function explain(
  files: readonly InputFile[],
  options: PolicyOptions = {},
): { readonly nodePools: readonly NodePoolExplanation[]; readonly findings: readonly Finding[] } {
  checkFiles(files);
  checkOptions(options, { policy: "string" });
  const { clusters, policy, findings, readable } = loadClusters(files, options);
  const explained = readable ? explainClusters(clusters, shippedCatalogue(), shippedPrices) : [];
  const nodePools = describeClusters(explained, policy);
  return { nodePools, findings: publicFindings(findings) };
}

export interface DiffOptions extends Options {
  /** When the change is made, such as `2026-11-23T09:00:00Z`: the library asks no clock. */
  readonly at: string;
  /** What `kubectl get nodeclaims,nodes -o json` prints: the nodes that there are. */
  readonly nodeData?: string | undefined;
  /** How long replacing one node is assumed to take; `5m` when left out. */
  readonly nodeTime?: string | undefined;
  /** Fields to leave out, such as `spec.weight`. */
  readonly ignore?: readonly string[] | undefined;
}

/** As `anp diff -o json` prints them (docs/diff.md). Where a side cannot be read there are no changes. */
export interface Diff {
  readonly schemaVersion: 1;
  readonly mode: "hosted" | "raw";
  readonly summary: DiffSummary;
  readonly policies: readonly PolicyChange[];
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
}

/** The sum of all changes. */
export interface DiffSummary {
  /** NodePools that change, come or go, and other objects. */
  readonly pools: number;
  readonly others: number;
  /** Instance types that pools gain and lose, each once. */
  readonly types: { readonly gained: number; readonly lost: number } | null;
  readonly nodes: {
    readonly total: number;
    readonly replaced: number;
    readonly removed: number;
    readonly unknown: number;
    readonly minDuration: string | null;
  } | null;
  /** Of the change that holds last. */
  readonly settles: (Settles & { readonly resource: ChangedResource }) | null;
  readonly cost: (PriceOrigin & NodeSums) | null;
  /** How the change can be made so that nodes stay (docs/change-without-replacing.md). */
  readonly keeping: readonly {
    readonly way: "second-pool" | "budget" | "window";
    readonly pools: readonly ChangedResource[];
  }[];
}

export interface ChangedResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly hostedCluster?: string;
}

export interface Change {
  readonly resource: ChangedResource;
  readonly action: "added" | "removed" | "changed";
  readonly effect:
    | "none"
    | "behavioural"
    | "new-nodes"
    | "replaces-some"
    | "unknown"
    | "replaces-all"
    | "removes-nodes";
  /** Of a NodePool; `catalogue`: so it is with the instance types that the catalogue knows. */
  readonly scope?: "always" | "catalogue";
  /** Of a NodePool: what it may launch; null where nobody here knows the types of its provider. */
  readonly offer?: OfferChange | null;
  readonly forever?: true;
  readonly fields: readonly {
    readonly path: string;
    readonly from: unknown;
    readonly to: unknown;
    readonly ofWrapper?: true;
    /** Of a guarded NodePool's requirements: the policy's entries and their mark, or its author's own. */
    readonly part?: "guard" | "pool";
  }[];
  readonly nodes: {
    readonly total: number | null;
    readonly affected: number | null;
    readonly names: readonly string[] | null;
    readonly minDuration: string | null;
  };
  readonly settles: Settles | null;
  readonly cost: ChangeCost | null;
}

/** What a pool may launch now and could not before, and the other way round. */
export interface OfferChange {
  readonly catalogue: string;
  readonly types: OfferShift;
  readonly zones: OfferShift;
  readonly capacityTypes: OfferShift;
}

export interface OfferShift {
  readonly gained: readonly OfferMove[];
  readonly lost: readonly OfferMove[];
}

export interface OfferMove {
  readonly name: string;
  /** The entries whose coming or going does it. */
  readonly by: readonly {
    readonly from: Demand["from"] | null;
    readonly key: string;
    readonly requirement: string;
    readonly file: string | null;
    readonly line: number | null;
    readonly gone?: true;
  }[];
}

/** When a change holds for the nodes that run. */
export interface Settles {
  readonly until: "at-once" | "by" | "open" | "never";
  readonly earliest: string | null;
  readonly latest: string | null;
  readonly why: string;
  readonly file: string | null;
  readonly line: number | null;
}

export interface PriceOrigin {
  readonly source: string;
  readonly region: string | null;
  readonly date: string;
  readonly currency: string;
}

/** What a pool may launch before and after, and what its nodes cost. */
export interface ChangeCost extends PriceOrigin {
  readonly before: PriceEnvelope | null;
  readonly after: PriceEnvelope | null;
  readonly nodes:
    | (NodeSums & {
        readonly replacements: readonly { readonly node: string; readonly from: Price; readonly to: Price }[];
      })
    | null;
}

export interface PriceEnvelope {
  readonly types: number;
  readonly unpriced: number;
  readonly perHour: PriceSpread | null;
  readonly perVcpu: PriceSpread | null;
}

/** Of `priced` nodes; a month has 730 hours. */
export interface NodeSums {
  readonly priced: number;
  readonly unpriced: readonly string[];
  readonly perHour: { readonly before: number; readonly after: number };
  readonly perMonth: { readonly before: number; readonly after: number };
}

/** What becomes of a policy. */
export interface PolicyChange {
  readonly hostedCluster?: string;
  readonly action: "added" | "removed" | "changed";
  readonly relation: "equivalent" | "tighter" | "looser" | "disjoint" | "incomparable";
  readonly scope: "always" | "catalogue" | "newer-types";
  readonly catalogue: string;
  readonly witnesses: { readonly gained: Witness | null; readonly lost: Witness | null };
  readonly rootVolume: {
    readonly relation: "tighter" | "looser" | "other";
    readonly from: object | null;
    readonly to: object | null;
  } | null;
  readonly pools: readonly {
    readonly name: string;
    readonly verdict: {
      readonly from: NodePoolExplanation["verdict"];
      readonly to: NodePoolExplanation["verdict"];
    };
    readonly types: { readonly gained: number; readonly lost: number };
  }[];
}

/** A node that comes under one policy alone, and the wrapper that gets it. */
export interface Witness {
  readonly instanceType: string | null;
  readonly label: { readonly key: string; readonly value: string | null } | null;
  readonly fewerThan: number | null;
  readonly wrapper: object;
}

/**
 * What a change comes to: what differs, what that does to nodes and when, and what it costs at list price.
 *
 * @throws Error where nobody can tell which hosted cluster of one side is which of the other
 */
export function diff(before: readonly InputFile[], after: readonly InputFile[], options: DiffOptions): Diff {
  checkFiles(before);
  checkFiles(after);
  checkDiffOptions(options);
  const { answer, findings } = diffFiles(before, after, options);
  return { ...answer, findings: publicFindings(findings) };
}

/**
 * `anp fn`: a KRM ResourceList as text in, the one to answer with out. `exitCode` is that of the command: 0 done, 1 a
 * finding is an error or there was no wrapper, 2 several hosted clusters, 3 unreadable; then every item is as it was.
 * `resourceList` is undefined for a text that is none.
 */
export function fn(resourceList: string): {
  readonly resourceList: string | undefined;
  readonly findings: readonly Finding[];
  readonly exitCode: number;
} {
  if (typeof resourceList !== "string") throw new TypeError("fn takes the text of a ResourceList");
  const stream = { file: "<stdin>", folder: "", text: resourceList, explicit: true, trusted: true, config: false };
  const read = readResourceList(stream);
  if (read.value === undefined)
    return { resourceList: undefined, findings: publicFindings(read.findings), exitCode: UNREADABLE };
  const { findings, edits, exit } = answerResourceList(read.value, read.findings, FN_OPTIONS);
  const results = functionResults(findings, read.value.resources);
  const text = editResourceList(read.value, { ...edits, results });
  return { resourceList: text, findings: publicFindings(findings), exitCode: exit };
}

const UNREADABLE = 3;
const FN_OPTIONS = { featureGates: {}, failOn: "error", report: [], color: "never", configFile: undefined } as const;

function rendering({ profile, requirePolicy, policyDir }: Options): Rendering {
  return { profile, requirePolicy, rulesTrusted: policyDir !== undefined };
}

function loadClusters(files: readonly InputFile[], options: PolicyOptions): LoadedClusters {
  const { hostedCluster, policyDir, policy } = options;
  const named = files.filter(({ path }) => path === policy);
  const others = files.filter((file) => !named.includes(file));
  if (policy !== undefined && named.length === 0)
    throw new TypeError(`the option policy: ${policy} is none of the files`);
  const loaded = clustersOf(loadFiles(others, options), { ...rendering(options), hostedCluster, policyDir });
  if (policy === undefined) return loaded;
  if (loaded.mode === "hosted") throw new Error(POLICY_OF_RAW);
  const { value, findings } = loadFiles(named, {});
  return heldAgainst(policyIn(policy, { value: value.resources, findings }), loaded);
}

const POLICY_OF_RAW =
  "the option policy is for Karpenter's own NodePools, and the files are a hosted cluster's: its AutoNodePolicy is one of them";

function severalClusters(bundles: readonly Bundle[]): string {
  const names = bundles.map((bundle) => bundle.hostedCluster).join(", ");
  return `the files are for several hosted clusters, and one is rendered at a time: ${names}; select one with hostedCluster`;
}

/** Verdicts on anp's and users' pools, cached until something that they depend on changes. */
import { createHash } from "node:crypto";
import { excessOf, type JudgedPool, judgePool } from "../../analyze/explain/judge-pool.ts";
import { amisOf } from "../../resolve/inputs.ts";
import { readRawPool } from "../../resolve/read-raw-pool.ts";
import { type ResolvedPool, resolveRawPool } from "../../resolve/resolve-pool.ts";
import type { InstanceTypes } from "../../analyze/explain/remaining-types.ts";
import { unknownTypes } from "../../analyze/explain/unknown-types.ts";
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { AWS } from "../../karpenter/provider/aws.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { appliedKind } from "../../model/objects/applied-kinds.ts";
import { memoize, memoizeByKey } from "../../model/schema/memoize.ts";
import type { Profile } from "../../model/crds/profile.ts";
import type { Settings } from "../../resolve/settings.ts";
import { type LiveObject, liveResource } from "../api/live-object.ts";
import type { ReadableCluster } from "../plan/render-cluster.ts";
import { inSlices } from "../waiting/in-parallel.ts";

type PoolSettings = Pick<Settings, "profile" | "config" | "resource">;

/** Returns the catalogue of a hosted cluster by its settings; undefined if there is none to read. */
export type OptionalCatalogueFor = (...asked: Parameters<CatalogueFor>) => ReturnType<CatalogueFor> | undefined;

/** Omits pools that it did not reach before the signal. */
export type EvaluatePools = (
  pools: readonly ResolvedPool[],
  settings: PoolSettings,
  signal: AbortSignal,
) => Promise<readonly JudgedPool[]>;

interface Remembered {
  readonly print: string;
  readonly judged: JudgedPool;
}

/** For one hosted cluster. @param catalogue called for the first pool */
export function poolVerdicts(catalogue: OptionalCatalogueFor): EvaluatePools {
  let before = new Map<string, Remembered>();
  return async (pools, settings, signal) => {
    // A filter caches the types that each requirement leaves. Requirements of users change, so drop it after the pass.
    const knownTypes = memoize(() => instanceTypesOf(catalogue(settings), settings.profile));
    const now = new Map<string, Remembered>();
    // In slices, so that many pools neither delay other clusters nor the renewal of the Lease.
    await inSlices(pools, (pool) => {
      if (signal.aborted) return true;
      const print = printOf(pool, settings);
      const known = before.get(pool.name);
      now.set(pool.name, known?.print === print ? known : { print, judged: judgePool(pool, knownTypes()) });
      return undefined;
    });
    before = now;
    return [...now.values()].map(({ judged }) => judged);
  };
}

function instanceTypesOf(catalogue: Catalogue | undefined, profile: Profile): InstanceTypes | undefined {
  return catalogue && { filter: offeredTypes(catalogue), profile };
}

/** A NodePool that users write, and how it exceeds the policy. */
export interface OutsidePool {
  readonly pool: string;
  /** In words that quote nothing of the pool. */
  readonly why: string;
}

/** Those that exceed the policy. Omits pools that it did not reach before the signal. */
export type EvaluateUsersPools = (
  pools: readonly LiveObject[],
  cluster: ReadableCluster,
  signal: AbortSignal,
) => Promise<readonly OutsidePool[]>;

/** Reads a live NodePool that users write. The result of reading is undefined if its spec is invalid. */
export function usersPoolReader({
  bundle,
  inputs,
  nodeClasses,
}: ReadableCluster): (pool: LiveObject) => ResolvedPool | undefined {
  const classes = new Map(nodeClasses.map(({ wrapper, value }) => [wrapper.name, value]));
  const surroundings = { hostedCluster: bundle.hostedCluster, inputs, classes, made: [] };
  const { profile } = inputs.settings;
  return (pool) =>
    resolveRawPool(readRawPool(liveResource(pool, "guest", appliedKind("NodePool")), profile), surroundings);
}

/** For one hosted cluster. @param catalogue called for the first pool that is evaluated */
export function usersPoolVerdicts(catalogue: OptionalCatalogueFor): EvaluateUsersPools {
  let before = new Map<string, { readonly print: string; readonly why: string }>();
  return async (pools, cluster, signal) => {
    const { inputs, nodeClasses } = cluster;
    const { policy, settings } = inputs;
    const { profile, config } = settings;
    const knownTypes = memoize(() => instanceTypesOf(catalogue(settings), profile) ?? noTypes(profile));
    const classes = new Map(nodeClasses.map(({ wrapper, value }) => [wrapper.name, value]));
    const readUsersPool = usersPoolReader(cluster);
    const ofCluster = hashOf([profile, config, policy.requirements]);
    const ofClass = memoizeByKey((name: unknown) => {
      const amis = typeof name === "string" ? amisOf(name, inputs) : [];
      return hashOf([amis.map(({ arch }) => arch), classes.get(String(name))?.spec]);
    });
    const evaluate = (pool: LiveObject): string => {
      const resolved = readUsersPool(pool);
      return resolved === undefined ? "anp cannot read its spec" : excessOf(resolved, policy, knownTypes()).join("; ");
    };
    const now: typeof before = new Map();
    await inSlices(pools, (pool) => {
      if (signal.aborted) return true;
      const { name, uid, generation } = pool.metadata;
      const nodeClass = valueAt(pool.spec, ["template", "spec", "nodeClassRef", "name"]);
      const print = [uid, generation, ofCluster, ofClass(nodeClass)].join(" ");
      const known = generation === undefined ? undefined : before.get(name);
      now.set(name, known?.print === print ? known : { print, why: evaluate(pool) });
      return undefined;
    });
    before = now;
    return [...now].flatMap(([pool, { why }]) => (why === "" ? [] : [{ pool, why }]));
  };
}

/** Without a catalogue, only the requirements are compared. */
function noTypes(profile: Profile): InstanceTypes {
  return { filter: typeFilter(unknownTypes(AWS.labels)), profile, typesUnknown: true };
}

/** A fingerprint of all input of a verdict except the catalogue's content. */
function printOf({ name, nodeClassRef, onBypass, spec, demands }: ResolvedPool, settings: PoolSettings): string {
  const { profile, config } = settings;
  const asked = demands.map(({ from, requirement }) => [from, requirement]);
  return hashOf([profile, config.catalogue, name, nodeClassRef, onBypass, spec, asked]);
}

function hashOf(given: unknown): string {
  const text = JSON.stringify(given, (_, value: unknown) => {
    if (value instanceof Set) return [...value];
    return typeof value === "bigint" ? String(value) : value;
  });
  return createHash("sha256").update(text).digest("base64");
}

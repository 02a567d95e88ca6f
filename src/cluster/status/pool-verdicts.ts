/** A verdict on each pool of a pass, cached until something that it depends on changes. */
import { createHash } from "node:crypto";
import { type JudgedPool, judgePool } from "../../analyze/explain/judge-pool.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { InstanceTypes } from "../../analyze/explain/remaining-types.ts";
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { memoize } from "../../model/schema/memoize.ts";
import type { Profile } from "../../model/crds/profile.ts";
import type { Settings } from "../../resolve/settings.ts";
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

/** A fingerprint of all input of a verdict except the catalogue's content. */
function printOf({ name, nodeClassRef, onBypass, spec, demands }: ResolvedPool, settings: PoolSettings): string {
  const { profile, config } = settings;
  const asked = demands.map(({ from, requirement }) => [from, requirement]);
  const text = JSON.stringify(
    [profile, config.catalogue, name, nodeClassRef, onBypass, spec, asked],
    (_, value: unknown) => {
      if (value instanceof Set) return [...value];
      return typeof value === "bigint" ? String(value) : value;
    },
  );
  return createHash("sha256").update(text).digest("base64");
}

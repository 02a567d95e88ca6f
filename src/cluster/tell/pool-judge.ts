/** A verdict on each pool of a pass: the last one again where nothing that it rests on changed. */
import { createHash } from "node:crypto";
import { type JudgedPool, judgePool } from "../../analyze/explain/judge-pool.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Market } from "../../analyze/explain/remaining-types.ts";
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { once } from "../../model/once.ts";
import type { Profile } from "../../model/profile.ts";
import type { Settings } from "../../resolve/settings.ts";
import { inSlices } from "../waiting/in-slices.ts";

type PoolSettings = Pick<Settings, "profile" | "config" | "resource">;

/** That of a hosted cluster, by its settings; undefined where there is none to read. */
export type PerhapsCatalogueFor = (...asked: Parameters<CatalogueFor>) => ReturnType<CatalogueFor> | undefined;

/** Out come no verdicts on those that the signal comes before. */
export type JudgePools = (
  pools: readonly ResolvedPool[],
  settings: PoolSettings,
  signal: AbortSignal,
) => Promise<readonly JudgedPool[]>;

interface Remembered {
  readonly print: string;
  readonly judged: JudgedPool;
}

/** Of one hosted cluster. @param catalogue asked for with the first pool */
export function poolJudge(catalogue: PerhapsCatalogueFor): JudgePools {
  let before = new Map<string, Remembered>();
  return async (pools, settings, signal) => {
    // A filter remembers what each requirement leaves. Those of users come and go, so it goes with the pass.
    const market = once(() => marketOf(catalogue(settings), settings.profile));
    const now = new Map<string, Remembered>();
    // Other clusters have their turn, and the lease is renewed, however much users ask for.
    await inSlices(pools, (pool) => {
      if (signal.aborted) return true;
      const print = printOf(pool, settings);
      const known = before.get(pool.name);
      now.set(pool.name, known?.print === print ? known : { print, judged: judgePool(pool, market()) });
      return undefined;
    });
    before = now;
    return [...now.values()].map(({ judged }) => judged);
  };
}

function marketOf(catalogue: Catalogue | undefined, profile: Profile): Market | undefined {
  return catalogue && { filter: offeredTypes(catalogue), profile };
}

/** Everything that a verdict depends on, but for what the catalogue says: what policy, user and class demand, and the pool itself. */
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

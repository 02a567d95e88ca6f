/** A verdict on each pool of a pass: the last one again where nothing that it rests on changed. */
import { createHash } from "node:crypto";
import { type JudgedPool, judgePool } from "../../analyze/explain/judge-pool.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Market } from "../../analyze/explain/remaining-types.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { once } from "../../model/once.ts";
import type { Profile } from "../../model/profile.ts";
import { inSlices } from "../waiting/in-slices.ts";

/** Out come no verdicts on those that the signal comes before. */
export type JudgePools = (
  pools: readonly ResolvedPool[],
  profile: Profile,
  signal: AbortSignal,
) => Promise<readonly JudgedPool[]>;

interface Remembered {
  readonly print: string;
  readonly judged: JudgedPool;
}

/** Of one hosted cluster. @param catalogue asked for with the first pool; undefined where there is none to read */
export function poolJudge(catalogue: () => Catalogue | undefined): JudgePools {
  let before = new Map<string, Remembered>();
  return async (pools, profile, signal) => {
    // A filter remembers what each requirement leaves. Those of users come and go, so it goes with the pass.
    const market = once(() => marketOf(catalogue(), profile));
    const now = new Map<string, Remembered>();
    // Other clusters have their turn, and the lease is renewed, however much users ask for.
    await inSlices(pools, (pool) => {
      if (signal.aborted) return true;
      const print = printOf(pool, profile);
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

/** Everything that a verdict depends on, but for the catalogue: what policy, user and class demand, and the pool itself. */
function printOf({ name, nodeClassRef, onBypass, spec, demands }: ResolvedPool, profile: Profile): string {
  const asked = demands.map(({ from, requirement }) => [from, requirement]);
  const text = JSON.stringify([profile, name, nodeClassRef, onBypass, spec, asked], (_, value: unknown) => {
    if (value instanceof Set) return [...value];
    return typeof value === "bigint" ? String(value) : value;
  });
  return createHash("sha256").update(text).digest("base64");
}

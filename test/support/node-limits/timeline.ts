/** Records the number of NodeClaims of each pool, at each change. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import { list } from "./workload.ts";

export interface Timeline {
  /** From now on, the most NodeClaims of all pools together. */
  readonly mark: () => () => Readonly<Record<string, number>>;
  /** From now on, the numbers of a pool, one after the other. */
  readonly steps: (pool: string) => () => readonly number[];
  /** One line for each note and for each change of the numbers. */
  readonly table: () => string;
  readonly note: (text: string) => void;
  readonly stop: () => Promise<void>;
}

const EVERY_MS = 150;

export function startTimeline(controlPlane: ControlPlane, pools: readonly string[]): Timeline {
  const rows: string[] = [];
  const peaks = new Set<Record<string, number>>();
  const walks: { readonly pool: string; readonly walk: number[] }[] = [];
  const start = Date.now();
  let counts: Record<string, number> = {};
  const ending = new AbortController();
  const width = Math.max(...pools.map(({ length }) => length));
  const row = (cells: readonly (string | number)[]) => cells.map((cell) => String(cell).padStart(width)).join("  ");
  const seconds = () => ((Date.now() - start) / 1000).toFixed(1).padStart(6);
  const running = (async () => {
    while (!ending.signal.aborted) {
      const claims = await list(controlPlane, "/apis/karpenter.sh/v1/nodeclaims");
      const now = Object.fromEntries(
        pools.map((pool) => [
          pool,
          claims.filter(({ metadata }) => metadata?.labels?.["karpenter.sh/nodepool"] === pool).length,
        ]),
      );
      for (const peak of peaks) for (const pool of pools) peak[pool] = Math.max(peak[pool] ?? 0, now[pool] ?? 0);
      for (const { pool, walk } of walks) if (walk.at(-1) !== now[pool]) walk.push(now[pool] ?? 0);
      if (pools.some((pool) => now[pool] !== counts[pool]))
        rows.push(`${seconds()}  ${row(pools.map((pool) => now[pool] ?? 0))}`);
      counts = now;
      await sleep(EVERY_MS);
    }
  })();
  return {
    mark: () => {
      const peak = { ...counts };
      peaks.add(peak);
      return () => peak;
    },
    steps: (pool) => {
      const walk = [counts[pool] ?? 0];
      walks.push({ pool, walk });
      return () => walk;
    },
    table: () => [`   sec  ${row(pools)}`, ...rows].join("\n"),
    note: (text) => rows.push(`${seconds()}  ${text}`),
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

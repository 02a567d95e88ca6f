/** When the next pass comes: by the clock, when somebody rings, later while passes fail; and that the end ends it. */
import { expect, test, vi } from "vitest";
import { bell } from "../../src/cluster/run/bell.ts";
import { backoffMs, loop } from "../../src/cluster/run/loop.ts";
import type { PassResult } from "../../src/cluster/run/reconcile.ts";

/** The times of the passes in seconds, as long as results are left. */
async function times(results: PassResult[], ring: (news: { ring: () => void }) => void = () => undefined) {
  vi.useFakeTimers();
  const start = Date.now();
  const seen: number[] = [];
  const end = new AbortController();
  const news = bell();
  const pass = async (): Promise<PassResult> => {
    seen.push((Date.now() - start) / 1000);
    const result = results.shift();
    if (results.length === 0) end.abort();
    return result ?? "ok";
  };
  try {
    const running = loop(pass, news, { intervalMs: 60_000, signal: end.signal, random: () => 0.5 });
    ring(news);
    await vi.advanceTimersByTimeAsync(3_600_000);
    await running;
    return seen;
  } finally {
    vi.useRealTimers();
  }
}

test("by the clock when nobody rings", async () => {
  expect(await times(["ok", "held", "ok"])).toEqual([0, 60, 120]);
});

test("soon after somebody rings, once for many", async () => {
  const ring = (news: { ring: () => void }) => {
    setTimeout(news.ring, 5000);
    setTimeout(news.ring, 5100);
  };
  expect(await times(["ok", "ok", "ok"], ring)).toEqual([0, 5.3, 65.3]);
});

test("later and later while passes fail, and then as before", async () => {
  expect(await times(["failed", "failed", "failed", "ok", "failed", "ok"])).toEqual([0, 0.75, 2.25, 5.25, 65.25, 66]);
});

test("never longer than two minutes", () => {
  expect(backoffMs(50, () => 1)).toBe(120_000);
  expect(backoffMs(1, () => 0)).toBe(500);
});

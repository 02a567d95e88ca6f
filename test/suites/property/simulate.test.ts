/**
 * Tests laws of `anp simulate` on random budgets, limits and nodes: no negative numbers, no gap in a timeline, never
 * over a Hard limit.
 */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { karpenterOptions } from "../../../src/model/settings/karpenter-options.ts";
import { disruptionAt, timeline } from "../../../src/analyze/simulate/timeline.ts";
import { parseLocalWindow, utcBudgets } from "../../../src/analyze/simulate/local-window.ts";
import type { PoolNodes } from "../../../src/analyze/simulate/pool-nodes.ts";
import type { SimulatedPool } from "../../../src/analyze/simulate/pools.ts";
import { rolloutOfPool } from "../../../src/analyze/simulate/describe.ts";
import { localTime, timeZone, type TimeZone } from "../../../src/analyze/simulate/zone.ts";
import { budgetWindow, type BudgetWindow } from "../../../src/karpenter/disruption/budget-window.ts";
import { readBudget } from "../../../src/karpenter/disruption/disruption-budget.ts";
import { PROFILES } from "../../../src/model/crds/profile.ts";
import { budgetQuestion } from "../../support/oracle/budget-questions.ts";
import { seedOf } from "../../support/property/seed.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const seed = seedOf("simulate", 20_261_121);

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const nodes = fc
  .tuple(fc.nat(40), fc.nat(5), fc.nat(5), fc.nat(5))
  .map(([staying, going, starting, notReady]): PoolNodes => {
    const counted = staying + going;
    const unready = Math.min(notReady, staying);
    return {
      total: counted + starting,
      active: staying + starting,
      counted,
      going,
      notReady: unready,
      from: "data",
      known: [],
    };
  });

const limit = fc.option(fc.record({ nodes: fc.nat(50), mode: fc.constantFrom("Hard" as const, "Soft" as const) }), {
  nil: undefined,
});

const scenario = fc
  .record({
    question: budgetQuestion,
    limit,
    nodes,
    profile: fc.constantFrom(...PROFILES),
    hours: fc.integer({ min: 1, max: 400 }),
  })
  .map(({ question, limit, nodes, profile, hours }) => {
    const from = Date.parse(question.at);
    const budgets = question.budgets.map(readBudget);
    const pool: SimulatedPool = {
      name: "p",
      hostedCluster: undefined,
      resource: undefined as never,
      profile,
      budgets,
      budgetPlaces: [],
      limit,
      replicas: undefined,
      group: undefined,
      statusNodes: undefined,
      karpenter: karpenterOptions(profile),
      terminatesFirst: false,
      rules: undefined,
    };
    return { pool, nodes, from, to: from + hours * HOUR };
  });

describe("budgets and limits", () => {
  test("the allowance is the minimum of what remains of each, and never negative", () => {
    fc.assert(
      fc.property(scenario, ({ pool, nodes, from }) => {
        for (const { reason, budget, allowed, blockedBy } of disruptionAt(pool, nodes, from)) {
          const consuming = nodes.going + (reason === "Unhealthy" ? 0 : nodes.notReady);
          const bounded = pool.limit?.mode === "Hard" && ["Drifted", "Underutilized"].includes(reason);
          const left = budget === null ? Infinity : budget - consuming;
          const room = bounded ? pool.limit.nodes - nodes.total : Infinity;
          expect(allowed ?? Infinity).toBe(Math.max(0, Math.min(left, room)));
          expect(blockedBy === null).toBe(allowed !== 0);
          if (bounded && allowed !== 0) expect(nodes.total + allowed!).toBeLessThanOrEqual(pool.limit.nodes);
        }
      }),
      { numRuns: 3000, seed },
    );
  });

  test("a timeline has no gap and agrees with a query at each moment", () => {
    let stretches = 0;
    fc.assert(
      fc.property(scenario, fc.array(share, { minLength: 12, maxLength: 12 }), ({ pool, nodes, from, to }, shares) => {
        const line = timeline(pool, nodes, { from, to });
        stretches += line.length;
        expect([line[0]!.from, line.at(-1)!.to]).toStrictEqual([from, to]);
        const wrong = line
          .slice(1)
          .filter(
            ({ from, disruption }, index) =>
              from !== line[index]!.to || isDeepStrictEqual(disruption, line[index]!.disruption),
          );
        expect(wrong).toStrictEqual([]);
        const moments = [
          ...shares.map((part) => from + Math.floor(part * (to - from))),
          ...line.slice(0, 20).flatMap((one) => [one.from, one.to - 1]),
        ];
        for (const at of moments)
          expect(line.find((one) => one.from <= at && at < one.to)!.disruption).toStrictEqual(
            disruptionAt(pool, nodes, at),
          );
      }),
      { numRuns: 1000, seed },
    );
    console.log(`simulate: 1000 timelines, ${stretches} stretches`);
    expect(stretches).toBeGreaterThan(3000);
  }, 400_000);

  test("a rollout never replaces more nodes at once than the pool has, never exceeds a Hard limit, and takes at least the time of one node", () => {
    let done = 0;
    fc.assert(
      fc.property(scenario, fc.constantFrom(5 * 60_000, HOUR), ({ pool, nodes, from }, nodeTime) => {
        const roll = rolloutOfPool(pool, nodes, from, nodeTime);
        expect(roll.nodes).toBe(nodes.counted - nodes.going);
        expect(roll.atOnce).toBeLessThanOrEqual(roll.nodes);
        if (pool.limit?.mode === "Hard")
          expect(roll.atOnce).toBeLessThanOrEqual(Math.max(0, pool.limit.nodes - nodes.total + nodes.going));
        if (roll.ends === undefined || roll.nodes === 0) return;
        done += 1;
        expect(roll.ends - from).toBeGreaterThanOrEqual(Math.ceil(roll.nodes / roll.atOnce) * nodeTime);
        expect(
          disruptionAt(pool, { ...nodes, total: nodes.total - nodes.going, going: 0, notReady: 0 }, roll.begins!).find(
            ({ reason }) => reason === "Drifted",
          )!.allowed,
        ).not.toBe(0);
      }),
      { numRuns: 200, seed },
    );
    expect(done).toBeGreaterThan(80);
  }, 400_000);
});

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "America/Sao_Paulo",
  "Africa/Casablanca",
  "Pacific/Chatham",
  "UTC",
];
const DAYS = ["daily", "mon-fri", "fri-mon", "sat,sun", "mon,wed,fri"];

describe("a window in local time", () => {
  const time = fc
    .tuple(fc.nat(23), fc.constantFrom("00", "30"))
    .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${minute}`);
  const window = fc.tuple(fc.constantFrom(...DAYS), time, time).map(([days, from, to]) => `${days} ${from}-${to}`);

  test("is never open outside its local time, and closed at most one hour longer in months with a clock change", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        window,
        fc.array(share, { minLength: 40, maxLength: 40 }),
        (name, text, shares) => {
          const zone = timeZone(name)!;
          const asked = parseLocalWindow(text)!;
          const start = Date.UTC(2026, 10, 21);
          const budgets = utcBudgets(asked, zone, start).map((budget) => budgetWindow(budget) as BudgetWindow);
          for (const part of shares) {
            const at = start + Math.floor(part * 3 * 365) * DAY + Math.floor(((part * 1e6) % 1) * 96) * 15 * 60_000;
            const active = budgets.some((budget) => budget.isActive(at));
            const place = `${text} ${name} ${new Date(at).toISOString()}`;
            if (isInside(asked, at, zone)) expect(active, place).toBe(true);
            else if (active)
              expect(
                [-1, 1].some((hours) => isInside(asked, at + hours * HOUR, zone)),
                place,
              ).toBe(true);
          }
        },
      ),
      { numRuns: 150, seed },
    );
  }, 400_000);
});

/** In local time: the time since the window's start on that day, or the day before. */
function isInside(
  { weekdays, start, length }: NonNullable<ReturnType<typeof parseLocalWindow>>,
  at: number,
  zone: TimeZone,
): boolean {
  const { weekday, hour, minute } = localTime(at, zone);
  const since = hour * 60 + minute - start;
  return (
    (weekdays.has(weekday) && since >= 0 && since < length) ||
    (weekdays.has((weekday + 6) % 7) && since + 1440 >= 0 && since + 1440 < length)
  );
}

/** Who is under suspicion when a worker ends, time after time. */
import { expect, test } from "vitest";
import { accused } from "./accused.ts";
import type { Placed } from "./placed.ts";

const MINUTE = 60_000;

function placed(name: string, phase: "running" | "waiting"): Placed {
  return { name, desk: { state: () => ({ phase }) } } as unknown as Placed;
}

const [well, busy, idle] = [placed("well", "waiting"), placed("busy", "running"), placed("idle", "waiting")];
const CLUSTERS = [well, busy, idle];

test("it is those in a pass, and all of them where none is in one", () => {
  const [first, second] = [0, 1].map(() => accused({ lastGuilty: () => -Infinity, now: () => 0 }));
  expect(first!(CLUSTERS)).toEqual([busy]);
  expect(second!([well, idle])).toEqual([well, idle]);
});

test("it is all of them where the worker ends again, and nobody was found guilty", () => {
  let now = 0;
  let lastGuilty = -Infinity;
  const who = accused({ lastGuilty: () => lastGuilty, now: () => now });
  expect(who(CLUSTERS)).toEqual([busy]);
  now += MINUTE;
  expect(who(CLUSTERS)).toEqual(CLUSTERS);
  lastGuilty = now + 1;
  now += MINUTE;
  expect(who(CLUSTERS)).toEqual([busy]);
  now += 61 * MINUTE;
  expect(who(CLUSTERS)).toEqual([busy]);
});

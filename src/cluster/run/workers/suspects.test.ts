/** How long a cluster under suspicion waits, time after time. */
import { expect, test } from "vitest";
import { suspects } from "./suspects.ts";

test("who ends one worker after another waits ever longer, and who was acquitted begins no sooner the next time", () => {
  let now = 0;
  const { accuse, acquit, isSuspect, waitMs } = suspects(() => now);
  expect(isSuspect("a")).toBe(false);
  const waits = Array.from({ length: 8 }, () => {
    accuse("a");
    return waitMs("a") / 1000;
  });
  expect(waits).toEqual([5, 30, 60, 120, 240, 480, 600, 600]);
  now += 600_000;
  expect([isSuspect("a"), waitMs("a"), isSuspect("b")]).toEqual([true, 0, false]);
  acquit("a");
  expect(isSuspect("a")).toBe(false);
  accuse("a");
  expect([isSuspect("a"), waitMs("a")]).toEqual([true, 600_000]);
});

test("who has been well for an hour begins anew", () => {
  let now = 0;
  const { accuse, acquit, waitMs } = suspects(() => now);
  accuse("a");
  accuse("a");
  acquit("a");
  now += 61 * 60_000;
  accuse("a");
  expect(waitMs("a")).toBe(5000);
});

/** How long a cluster under suspicion waits, time after time. */
import { expect, test } from "vitest";
import { suspects } from "./suspects.ts";

test("who ends one worker after another waits ever longer, and who was acquitted begins no sooner the next time", () => {
  let now = 0;
  const { suspect, convict, acquit, isSuspect, wasGuilty, waitMs } = suspects(() => now);
  expect([isSuspect("a"), wasGuilty("a")]).toEqual([false, false]);
  suspect("a");
  expect([waitMs("a"), wasGuilty("a")]).toEqual([5000, false]);
  const waits = Array.from({ length: 7 }, () => {
    convict("a");
    return waitMs("a") / 1000;
  });
  expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600]);
  now += 600_000;
  expect([isSuspect("a"), waitMs("a"), isSuspect("b")]).toEqual([true, 0, false]);
  acquit("a");
  expect([isSuspect("a"), wasGuilty("a")]).toEqual([false, true]);
  convict("a");
  expect([isSuspect("a"), waitMs("a")]).toEqual([true, 600_000]);
});

test("who is acquitted each time waits no longer the next time", () => {
  let now = 0;
  const { suspect, acquit, waitMs } = suspects(() => now);
  const waits = Array.from({ length: 20 }, () => {
    suspect("a");
    const ms = waitMs("a");
    now += ms;
    acquit("a");
    now += 60_000;
    return ms;
  });
  expect([...new Set(waits)]).toEqual([5000]);
});

test("who has been well for an hour begins anew", () => {
  let now = 0;
  const { suspect, convict, acquit, waitMs } = suspects(() => now);
  convict("a");
  convict("a");
  acquit("a");
  now += 61 * 60_000;
  suspect("a");
  expect(waitMs("a")).toBe(5000);
});

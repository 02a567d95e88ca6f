/** When a delayed wake-up is raised: the last time that was set counts, and none after the end. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { delayedWakeUp, type WakeUp } from "./wake-up.ts";

let raised = 0;
const target = { raise: () => void raised++ } as unknown as WakeUp;

beforeEach(() => {
  raised = 0;
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("it is raised once, at the time that was set last", async () => {
  const set = delayedWakeUp(target, new AbortController().signal);
  set(1000);
  set(5000);
  await vi.advanceTimersByTimeAsync(4999);
  expect(raised).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(raised).toBe(1);
});

test("it is raised neither after it was cancelled nor after the end", async () => {
  const ending = new AbortController();
  const set = delayedWakeUp(target, ending.signal);
  set(1000);
  set(undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  set(1000);
  ending.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(raised).toBe(0);
});

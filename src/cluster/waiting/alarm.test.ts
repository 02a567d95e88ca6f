/** When a signal that was told a time is raised: the last of several counts, none after the end. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { alarm } from "./alarm.ts";
import type { PendingSignal } from "./pending-signal.ts";

let raised = 0;
const pending = { raise: () => void raised++ } as unknown as PendingSignal;

beforeEach(() => {
  raised = 0;
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("it is raised once, when the time that was set last has come", async () => {
  const set = alarm(pending, new AbortController().signal);
  set(1000);
  set(5000);
  await vi.advanceTimersByTimeAsync(4999);
  expect(raised).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(raised).toBe(1);
});

test("it is raised neither when the time is taken back nor after the end", async () => {
  const ending = new AbortController();
  const set = alarm(pending, ending.signal);
  set(1000);
  set(undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  set(1000);
  ending.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(raised).toBe(0);
});

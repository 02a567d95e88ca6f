/** Proves when a bell that was told a time is rung: of several times the last one counts, and none after the end. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { alarm } from "./alarm.ts";
import type { Bell } from "./bell.ts";

let rung = 0;
const bell = { ring: () => void rung++ } as unknown as Bell;

beforeEach(() => {
  rung = 0;
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("it rings once, when the time that was set last has come", async () => {
  const set = alarm(bell, new AbortController().signal);
  set(1000);
  set(5000);
  await vi.advanceTimersByTimeAsync(4999);
  expect(rung).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rung).toBe(1);
});

test("it rings neither when the time is taken back nor after the end", async () => {
  const ending = new AbortController();
  const set = alarm(bell, ending.signal);
  set(1000);
  set(undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  set(1000);
  ending.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rung).toBe(0);
});

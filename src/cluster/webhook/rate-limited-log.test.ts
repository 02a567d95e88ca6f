/** A rate-limited log writes the first entry at once, counts equal ones, and loses none. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LogEntry } from "../objects/log-entry.ts";
import { type RateLimitedLog, rateLimitedLog } from "./rate-limited-log.ts";

const converted = (kind: string): LogEntry => ({ level: "info", msg: "converted", fields: { kind } });

describe("a rate-limited log", () => {
  let lines: string[];
  let log: RateLimitedLog;

  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    log = rateLimitedLog(({ msg, fields }) => lines.push([msg, ...Object.values(fields)].join(" ")), 1000);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("writes the first of equal entries at once, and the others together", () => {
    for (const objects of [1, 2, 3]) log.write(converted("NodePool"), objects);
    log.write(converted("NodeClaim"), 5);
    expect(lines).toStrictEqual(["converted NodePool 1 1", "converted NodeClaim 1 5"]);
    vi.advanceTimersByTime(1000);
    expect(lines.slice(2)).toStrictEqual(["converted NodePool 2 5"]);
    log.write(converted("NodePool"), 1);
    log.write(converted("NodeClaim"), 1);
    // An entry that was just written waits. An entry that did not come for the interval is written at once again.
    expect(lines.slice(3)).toStrictEqual(["converted NodeClaim 1 1"]);
    vi.advanceTimersByTime(1000);
    expect(lines.slice(4)).toStrictEqual(["converted NodePool 1 1"]);
  });

  it("writes the remaining counts at the end", () => {
    for (const objects of [1, 2]) log.write(converted("NodePool"), objects);
    log.close();
    expect(lines).toStrictEqual(["converted NodePool 1 1", "converted NodePool 1 2"]);
    vi.advanceTimersByTime(5000);
    expect(lines).toHaveLength(2);
  });

  it("has no timer while no entries come", () => {
    log.write(converted("NodePool"));
    vi.advanceTimersByTime(3000);
    expect(vi.getTimerCount()).toBe(0);
    log.write(converted("NodePool"));
    expect(lines).toStrictEqual(["converted NodePool 1", "converted NodePool 1"]);
  });

  it("counts entries together above 50 different ones", () => {
    for (let index = 0; index < 10_000; index += 1) log.write(converted(`kind-${index}`));
    vi.advanceTimersByTime(1000);
    expect(lines.length).toBeLessThan(60);
    expect(lines.at(-1)).toBe("more of other kinds 9949");
  });
});

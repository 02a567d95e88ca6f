/** What a thinned log tells at once, what it tells together, and that it forgets nothing. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LogEntry } from "../objects/log-entry.ts";
import { type ThinnedLog, thinnedLog } from "./thinned-log.ts";

const converted = (kind: string): LogEntry => ({ level: "info", msg: "converted", fields: { kind } });

describe("a thinned log", () => {
  let lines: string[];
  let log: ThinnedLog;

  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    log = thinnedLog(({ msg, fields }) => lines.push([msg, ...Object.values(fields)].join(" ")), 1000);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("tells the first of each kind at once, and those like it together", () => {
    for (const objects of [1, 2, 3]) log.tell(converted("NodePool"), objects);
    log.tell(converted("NodeClaim"), 5);
    expect(lines).toStrictEqual(["converted NodePool 1 1", "converted NodeClaim 1 5"]);
    vi.advanceTimersByTime(1000);
    expect(lines.slice(2)).toStrictEqual(["converted NodePool 2 5"]);
    log.tell(converted("NodePool"), 1);
    log.tell(converted("NodeClaim"), 1);
    // What was told just now waits; what has been silent for as long is told at once again.
    expect(lines.slice(3)).toStrictEqual(["converted NodeClaim 1 1"]);
    vi.advanceTimersByTime(1000);
    expect(lines.slice(4)).toStrictEqual(["converted NodePool 1 1"]);
  });

  it("ends with what it has not told", () => {
    for (const objects of [1, 2]) log.tell(converted("NodePool"), objects);
    log.close();
    expect(lines).toStrictEqual(["converted NodePool 1 1", "converted NodePool 1 2"]);
    vi.advanceTimersByTime(5000);
    expect(lines).toHaveLength(2);
  });

  it("has no timer while nobody says anything", () => {
    log.tell(converted("NodePool"));
    vi.advanceTimersByTime(3000);
    expect(vi.getTimerCount()).toBe(0);
    log.tell(converted("NodePool"));
    expect(lines).toStrictEqual(["converted NodePool 1", "converted NodePool 1"]);
  });

  it("does not tell apart more kinds than anybody reads", () => {
    for (let index = 0; index < 10_000; index += 1) log.tell(converted(`kind-${index}`));
    vi.advanceTimersByTime(1000);
    expect(lines.length).toBeLessThan(60);
    expect(lines.at(-1)).toBe("more of other kinds 9949");
  });
});

/** Durations compared with the results of Go 1.26's time package. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatGoDuration, parseGoDuration } from "./go-duration.ts";

/**
 * The text, and how Go prints the value; undefined if Go refuses it. Recorded from Go, and compared with it on 60,000
 * random texts.
 */
const CASES: [text: string, printed: string | undefined][] = [
  ["0", "0s"],
  ["+0", "0s"],
  ["-0s", "0s"],
  ["1ns", "1ns"],
  ["1100ns", "1.1µs"],
  ["1us", "1µs"],
  ["1\u00b5s", "1µs"],
  ["1\u03bcs", "1µs"],
  ["2.2ms", "2.2ms"],
  ["100ms", "100ms"],
  ["1000ms", "1s"],
  ["1.5s", "1.5s"],
  ["90s", "1m30s"],
  ["2m", "2m0s"],
  ["1h", "1h0m0s"],
  ["1h30m", "1h30m0s"],
  ["30m1h", "1h30m0s"],
  ["720h", "720h0m0s"],
  ["-1h30m", "-1h30m0s"],
  ["+5m", "5m0s"],
  [".5m", "30s"],
  ["1.s", "1s"],
  ["0.5ns", "0s"],
  ["0.100000000000000000000h", "6m0s"],
  ["0.3333333333333333333h", "20m0s"],
  ["1.0000000001s", "1s"],
  ["9223372036854775807ns", "2562047h47m16.854775807s"],
  ["-9223372036854775808ns", "-2562047h47m16.854775808s"],
  ["9223372036854775808ns", undefined],
  ["2562047h47m16.854775808s", undefined],
  ["3000000h", undefined],
  ["99999999999999999999s", undefined],
  ["", undefined],
  ["-", undefined],
  ["10", undefined],
  ["1d", undefined],
  ["1 s", undefined],
  ["s", undefined],
  [".s", undefined],
  ["1e3s", undefined],
  ["1h-1m", undefined],
  ["--1s", undefined],
  ["1S", undefined],
  ["1.5.5s", undefined],
];

describe("Go durations", () => {
  it.each(CASES)("%j", (text, printed) => {
    const nanoseconds = parseGoDuration(text);
    expect(nanoseconds === undefined ? undefined : formatGoDuration(nanoseconds)).toBe(printed);
  });

  it.each([
    ["2m", 120_000_000_000n],
    ["-1.5ms", -1_500_000n],
    ["9007199254.740993ms", 9_007_199_254_740_993n],
  ])("%j in nanoseconds", (text, nanoseconds) => {
    expect(parseGoDuration(text)).toBe(nanoseconds);
  });

  it("reads what it prints, but for the fractions of a second that Go rounds", () => {
    const milliseconds = fc.bigInt({ min: -(2n ** 43n), max: 2n ** 43n }).map((value) => value * 1_000_000n);
    fc.assert(fc.property(milliseconds, (value) => parseGoDuration(formatGoDuration(value)) === value));
  });
});

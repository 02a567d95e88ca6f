/** Ages from the tests of apimachinery, and on both sides of each change of the format. */
import { expect, test } from "vitest";
import { humanDuration } from "./human-duration.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

test.each([
  [-2 * SECOND, "<invalid>"],
  [-1999, "0s"],
  [-1, "0s"],
  [0, "0s"],
  [999, "0s"],
  [SECOND, "1s"],
  [70 * SECOND, "70s"],
  [119 * SECOND, "119s"],
  [2 * MINUTE, "2m"],
  [190 * SECOND, "3m10s"],
  [10 * MINUTE - SECOND, "9m59s"],
  [10 * MINUTE, "10m"],
  [70 * MINUTE, "70m"],
  [3 * HOUR - SECOND, "179m"],
  [3 * HOUR, "3h"],
  [7 * HOUR + 59 * MINUTE, "7h59m"],
  [8 * HOUR + 59 * MINUTE, "8h"],
  [47 * HOUR + 59 * MINUTE, "47h"],
  [48 * HOUR, "2d"],
  [70 * HOUR, "2d22h"],
  [8 * DAY - HOUR, "7d23h"],
  [8 * DAY + HOUR, "8d"],
  [2 * YEAR - SECOND, "729d"],
  [2 * YEAR, "2y"],
  [2 * YEAR + DAY, "2y1d"],
  [8 * YEAR - SECOND, "7y364d"],
  [8 * YEAR + 364 * DAY, "8y"],
])("%i ms is %s", (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text);
});

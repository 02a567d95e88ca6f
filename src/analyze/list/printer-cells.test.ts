/** The cells of odd objects, which no API server returns but a file may contain. */
import { expect, test } from "vitest";
import type { PrinterColumn } from "../../model/schema/metadata.ts";
import { printerCells, humanDuration } from "./printer-cells.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");

const COLUMNS: readonly PrinterColumn[] = [
  { name: "Type", type: "string", jsonPath: ".metadata.labels.node\\.kubernetes\\.io/instance-type" },
  { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "Nodes", type: "string", jsonPath: ".status.nodes" },
  { name: "Weight", type: "integer", jsonPath: ".spec.weight" },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
];

const object = (type: unknown, conditions: unknown, status: object, weight: unknown, creationTimestamp: unknown) => ({
  metadata: { labels: { "node.kubernetes.io/instance-type": type }, creationTimestamp },
  spec: { weight },
  status: { conditions, ...status },
});

test.each([
  ["nothing at all", {}, ["", "", "", "", "<unknown>"]],
  ["no mapping", "text", ["", "", "", "", "<unknown>"]],
  [
    "all in order",
    object("m5.large", [{ type: "Ready", status: "True" }], { nodes: 3 }, 10, "2026-11-21T07:00:00Z"),
    ["m5.large", "True", "3", "10", "60m"],
  ],
  ["nulls", object(null, null, { nodes: null }, null, null), ["", "", "", "", "<unknown>"]],
  ["wrong types", object(5, { type: "Ready" }, { nodes: { a: 1 } }, "10", 5), ["5", "", '{"a":1}', "", "<invalid>"]],
  [
    "an integer that JavaScript rounds",
    object("a", [], { nodes: { a: 2n ** 63n } }, 2n ** 63n, null),
    ["a", "", '{"a":9223372036854775808}', "9223372036854775808", "<unknown>"],
  ],
  [
    "two of a condition",
    object(
      "",
      [
        { type: "Ready", status: "False" },
        { type: "Ready", status: "True" },
      ],
      {},
      1.9,
      "",
    ),
    ["", "False", "", "1", "<invalid>"],
  ],
  [
    "a condition without status",
    object("a", [null, "Ready", { type: "Ready" }], {}, -1, "soon"),
    ["a", "", "", "-1", "<invalid>"],
  ],
  [
    "the count of nodes before Karpenter 1.8",
    object("a", [], { resources: { nodes: "7" } }, 1, "2026-11-21T08:00:05Z"),
    ["a", "", "7", "1", "<invalid>"],
  ],
  [
    "a count of none",
    object("a", [], { nodes: 0, resources: { nodes: "7" } }, 1n, "2026-11-21T08:00:01Z"),
    ["a", "", "0", "1", "0s"],
  ],
])("%s", (_what, value, cells) => {
  expect(printerCells(value, COLUMNS, NOW)).toEqual(cells);
});

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

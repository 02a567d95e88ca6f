/** The cells of odd objects, which no API server returns but a file may contain. */
import { expect, test } from "vitest";
import type { PrinterColumn } from "../../model/crd.ts";
import { printerCells } from "./printer-cells.ts";

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

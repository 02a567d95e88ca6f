/** Findings as results have all fields of the specification's Result, and no others. */
import { expect, it } from "vitest";
import type { Finding } from "../../krm/findings/finding.ts";
import { readResourceList } from "../../krm/resource-list/read-resource-list.ts";
import { testSource } from "../../../test/support/source.ts";
import { functionResults } from "./function-results.ts";

const { value: list } = readResourceList(
  testSource(
    "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: A\n  metadata: {name: a, annotations: {config.kubernetes.io/path: x.yaml, config.kubernetes.io/index: '2'}}\n",
  ),
);
const results = (...findings: Finding[]) => functionResults(findings, list!.resources);
const A = { apiVersion: "v1", kind: "A", name: "a" };
const WARNING: Finding = { code: "unknown-field", severity: "warning", message: "is odd" };

it("has all known fields", () => {
  expect(results({ ...WARNING, resource: A, field: "spec.a[0]", file: "x.yaml", hint: "leave it" })).toStrictEqual([
    {
      message: "is odd (leave it)",
      severity: "warning",
      resourceRef: A,
      field: { path: "spec.a[0]" },
      file: { path: "x.yaml", index: 2 },
      tags: { code: "unknown-field" },
    },
  ]);
});

it("has no reference without a name, and no field without a reference", () => {
  expect(results({ ...WARNING, resource: { ...A, name: "" }, field: "spec", file: "x.yaml" })).toStrictEqual([
    { message: "is odd", severity: "warning", file: { path: "x.yaml" }, tags: { code: "unknown-field" } },
  ]);
});

it.each(["<stdin>", "functionConfig"])("does not name %s, which is not a file", (file) => {
  expect(results({ ...WARNING, file, line: 3 })).toStrictEqual([
    { message: "is odd", severity: "warning", tags: { code: "unknown-field" } },
  ]);
});

it("keeps the line of a file that the user named", () => {
  expect(results({ ...WARNING, file: "config.yaml", line: 3 })[0]).toMatchObject({ tags: { line: "3" } });
});

it("begins with the most severe", () => {
  const info: Finding = { ...WARNING, severity: "info" };
  const error: Finding = { ...WARNING, severity: "error" };
  expect(results(info, WARNING, error).map(({ severity }) => severity)).toStrictEqual(["error", "warning", "info"]);
});

/** Tests which taints a pod tolerates: every operator, the empty key and the empty effect. */
import { describe, expect, it } from "vitest";
import type { Toleration } from "../../model/objects/pod.ts";
import { formatTaint, PREFER_NO_SCHEDULE, type Taint, untolerated } from "./taints.ts";

const GPU: Taint = { key: "gpu", value: "true", effect: "NoSchedule" };
const level = (value: string): Taint => ({ key: "level", value, effect: "NoSchedule" });

describe("untolerated", () => {
  it.each<[Taint, Toleration, boolean]>([
    [GPU, { key: "gpu", value: "true", effect: "NoSchedule" }, true],
    [GPU, { key: "gpu", operator: "Equal", value: "true" }, true],
    [GPU, { key: "gpu", operator: "", value: "true", effect: "" }, true],
    [GPU, { key: "gpu", value: "false" }, false],
    [GPU, { key: "gpu" }, false],
    [GPU, { key: "gpu", value: "true", effect: "NoExecute" }, false],
    [GPU, { key: "gpus", operator: "Exists" }, false],
    [GPU, { key: "gpu", operator: "Exists" }, true],
    [GPU, { operator: "Exists" }, true],
    [GPU, { operator: "Exists", effect: "NoExecute" }, false],
    [GPU, PREFER_NO_SCHEDULE, false],
    [{ key: "a", effect: "NoExecute" }, { key: "a" }, true],
    [{ key: "a", effect: "NoExecute" }, { key: "a", value: "" }, true],
    [{ key: "a", effect: "PreferNoSchedule" }, PREFER_NO_SCHEDULE, true],
    [level("5"), { key: "level", operator: "Gt", value: "4" }, true],
    [level("5"), { key: "level", operator: "Gt", value: "5" }, false],
    [level("5"), { key: "level", operator: "Lt", value: "6" }, true],
    [level("-5"), { key: "level", operator: "Lt", value: "-4" }, true],
    [level("05"), { key: "level", operator: "Lt", value: "6" }, false],
    [level("5"), { key: "level", operator: "Lt", value: "six" }, false],
    [level("5"), { key: "level", operator: "Lt", value: "9223372036854775808" }, false],
  ])("%j by %j: %j", (taint, toleration, tolerated) => {
    expect(untolerated([taint], [toleration])).toStrictEqual(tolerated ? [] : [taint]);
  });

  it("returns every taint that no toleration covers", () => {
    const other = { key: "other", effect: "NoExecute" };
    expect(untolerated([GPU, level("1"), other], [{ key: "level", operator: "Exists" }])).toStrictEqual([GPU, other]);
    expect(untolerated([], [])).toStrictEqual([]);
  });
});

it.each([
  [GPU, "gpu=true:NoSchedule"],
  [{ key: "gpu", effect: "NoExecute" }, "gpu:NoExecute"],
  [{ key: "gpu", value: "", effect: "NoExecute" }, "gpu:NoExecute"],
])("%j is printed as %s", (taint, text) => {
  expect(formatTaint(taint)).toBe(text);
});

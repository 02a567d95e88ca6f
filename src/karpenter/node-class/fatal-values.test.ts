/** Tests values that make Karpenter fail: each parsed field, on both sides of its limits. */
import { describe, expect, it } from "vitest";
import type { Profile } from "../../model/crds/profile.ts";
import { fatalValuesOf } from "./fatal-values.ts";

function pathsIn(kind: string, spec: Record<string, unknown>, profile: Profile = "hypershift"): string[] {
  const object = { apiVersion: "", kind, metadata: { name: "a" }, spec };
  return fatalValuesOf(object, profile).map(({ path }) => path.join(" "));
}

const inTemplate = (spec: object) => pathsIn("NodePool", { template: { spec } });

describe("of a pool", () => {
  it.each([
    ["2562047h47m16s", []],
    ["2562047h47m17s", ["spec template spec expireAfter"]],
    ["9999999h", ["spec template spec expireAfter"]],
    ["Never", []],
  ])("expireAfter %s", (expireAfter, paths) => expect(inTemplate({ expireAfter })).toStrictEqual(paths));

  it("other durations have Go's limit too", () => {
    expect(inTemplate({ terminationGracePeriod: "153722868m" })).toStrictEqual([
      "spec template spec terminationGracePeriod",
    ]);
    const disruption = { consolidateAfter: "9223372037s", budgets: [{}, { duration: "2562048h" }] };
    expect(pathsIn("NodePool", { disruption })).toStrictEqual([
      "spec disruption consolidateAfter",
      "spec disruption budgets 1 duration",
    ]);
  });

  it.each(["1e1.5", "1e.5", "1e99999999999999999999", "1e1001", "0e2147483647", "1e-1001"])("limit %s", (cpu) =>
    expect(pathsIn("NodePool", { limits: { cpu, memory: "1Ti" } })).toStrictEqual(["spec limits cpu"]),
  );

  it.each([100, "100", "1e5", "1e1000", "1e-1000", "5.", "1E", "-1"])("limit %s is valid for Karpenter", (cpu) =>
    expect(pathsIn("NodePool", { limits: { cpu } })).toStrictEqual([]),
  );

  it("times of taints must be strict RFC 3339", () => {
    const taints = ["2026-01-01t00:00:00z", "2026-01-01T00:00:00,5Z", "2026-01-01T00:00Z"];
    expect(inTemplate({ startupTaints: taints.map((timeAdded) => ({ timeAdded })) })).toStrictEqual([
      "spec template spec startupTaints 0 timeAdded",
      "spec template spec startupTaints 2 timeAdded",
    ]);
  });
});

describe("of a node class", () => {
  const kubelet = {
    systemReserved: { cpu: "1e1.5", pid: "1000" },
    kubeReserved: { memory: "1e2000" },
    evictionHard: { "memory.available": "", "nodefs.available": "5%", "pid.available": "" },
    evictionSoft: { "memory.available": "1e1.5" },
    evictionSoftGracePeriod: { "memory.available": "1d" },
  };

  it("is a setting that the provider parses", () => {
    expect(pathsIn("EC2NodeClass", { kubelet }, "karpenter-1.14")).toStrictEqual([
      "spec kubelet systemReserved cpu",
      "spec kubelet kubeReserved memory",
      "spec kubelet evictionHard memory.available",
      "spec kubelet evictionSoftGracePeriod memory.available",
    ]);
  });

  it("is a condition of the class since 1.15", () => {
    expect(pathsIn("EC2NodeClass", { kubelet }, "karpenter-1.15")).toStrictEqual([]);
  });
});

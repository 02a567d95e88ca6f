/** Changes to try: their pool and field, and the changed object. */
import { describe, expect, it } from "vitest";
import type { Resource } from "../../krm/places/resource.ts";
import { parseSetting, withSettings } from "./set.ts";

const POOLS = ["web", "web.eu", "batch"];

describe("a change", () => {
  it.each([
    ["web.limits.nodes=20", { pool: "web", path: ["spec", "limits", "nodes"], value: 20 }],
    ["web.spec.limits.nodes=20", { pool: "web", path: ["spec", "limits", "nodes"], value: 20 }],
    ["web.eu.limits.nodes=20", { pool: "web.eu", path: ["spec", "limits", "nodes"], value: 20 }],
    ["web.limits.nodes=null", { pool: "web", path: ["spec", "limits", "nodes"], value: undefined }],
    [
      "web.disruption.nodeLimitMode=Soft",
      { pool: "web", path: ["spec", "disruption", "nodeLimitMode"], value: "Soft" },
    ],
    [
      "web.disruption.budgets[1].nodes=5",
      { pool: "web", path: ["spec", "disruption", "budgets", 1, "nodes"], value: "5" },
    ],
    [
      'web.disruption.budgets=[{"nodes":"0"}]',
      { pool: "web", path: ["spec", "disruption", "budgets"], value: [{ nodes: "0" }] },
    ],
    [
      "web.disruption.budgets[0].schedule=0 9 * * *",
      { pool: "web", path: ["spec", "disruption", "budgets", 0, "schedule"], value: "0 9 * * *" },
    ],
    ['web.limits["nvidia.com/gpu"]=2', { pool: "web", path: ["spec", "limits", "nvidia.com/gpu"], value: 2 }],
    ["web.limits[*]=20", undefined],
    ["other.limits.nodes=20", undefined],
    ["web=20", undefined],
    ["web.=20", undefined],
    ["web.limits.nodes", undefined],
  ])("%s", (text, setting) => {
    expect(parseSetting(text, POOLS)).toStrictEqual(setting);
  });
});

describe("the object with it", () => {
  const spec = { limits: { nodes: 10, cpu: 5 }, disruption: { budgets: [{ nodes: "1" }, { nodes: "2" }] } };
  const resource = { name: "web", value: { spec } } as unknown as Resource;
  const changed = (...texts: string[]) =>
    withSettings(
      resource,
      texts.map((text) => parseSetting(text, POOLS)!),
    ).value["spec"];

  it("has the new value and keeps the rest", () => {
    expect(changed("web.limits.nodes=20")).toStrictEqual({ ...spec, limits: { nodes: 20, cpu: 5 } });
    expect(changed("web.limits.nodes=null")).toStrictEqual({ ...spec, limits: { cpu: 5 } });
    expect(changed("web.disruption.budgets[1].nodes=5")).toStrictEqual({
      ...spec,
      disruption: { budgets: [{ nodes: "1" }, { nodes: "5" }] },
    });
    expect(changed("web.disruption.budgets[0]=null")).toStrictEqual({
      ...spec,
      disruption: { budgets: [{ nodes: "2" }] },
    });
    expect(changed("web.weight=3", "web.limits=null")).toStrictEqual({ disruption: spec.disruption, weight: 3 });
    expect(resource.value["spec"]).toBe(spec);
  });

  it("is unchanged if the change is for another pool", () => {
    expect(withSettings(resource, [parseSetting("batch.limits.nodes=1", POOLS)!])).toBe(resource);
  });
});

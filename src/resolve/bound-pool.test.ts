/** Tests the bounds of a RenderConfig on one pool: the result and its origins. */
import { describe, expect, test } from "vitest";
import { valueAt } from "../krm/places/field-path.ts";
import { locationOf } from "../krm/places/location.ts";
import { render } from "../render/render.ts";
import { makeBundle, configText, policyText, poolText } from "../../test/support/bundle.ts";
import { originOf } from "./origin.ts";
import { resolve } from "./resolve.ts";

function renderWith(bounds: string, spec: string, disruption = "") {
  const files = {
    "policy.yaml": policyText("{nodePoolDefaults: {requirements: []}}"),
    "config.yaml": configText(bounds),
    "pool.yaml": poolText(`{template: {spec: ${spec}}${disruption}}`),
  };
  const { value, findings } = render(resolve(makeBundle(files), {}));
  const rendered = value.find(({ object }) => object.kind === "NodePool")!;
  const codes = findings
    .map(({ code, severity }) => `${severity} ${code}`)
    .filter((text) => /bounded|raised/.test(text));
  const at = (path: readonly (string | number)[]) => {
    const place = originOf(rendered, path);
    return place && locationOf(place.resource, place.path);
  };
  return { spec: rendered.object.spec, codes, at };
}

describe("a time", () => {
  const longer = (code: string) => [`warning ${code}`];
  const DEFAULT = ["info default-bounded"];
  test.each<[string, string, string | undefined, string[]]>([
    ["Never", "168h", "168h", longer("expire-after-bounded")],
    ["168h1s", "168h", "168h", longer("expire-after-bounded")],
    ["10081m", "168h", "168h", longer("expire-after-bounded")],
    ["168h", "168h", "168h", []],
    ["10080m", "168h", "10080m", []],
    ["0s", "168h", "0s", []],
    ["", "168h", "168h", DEFAULT],
    ["", "719h59m59s", "719h59m59s", DEFAULT],
    ["", "720h", undefined, []],
    ["", "1000h", undefined, []],
  ])("expireAfter: %s, at most %s", (given, most, expected, findings) => {
    const spec = given === "" ? "{}" : `{expireAfter: ${given}}`;
    const found = renderWith(`{maxExpireAfter: ${most}}`, spec);
    expect(valueAt(found.spec, ["template", "spec", "expireAfter"])).toBe(expected);
    expect(found.codes).toStrictEqual(findings);
  });

  test.each<[string, string, string, string[]]>([
    ["48h", "1h", "1h", longer("grace-period-bounded")],
    ["3600s", "1h", "3600s", []],
    ["0s", "1h", "0s", []],
    ["", "1h", "1h", DEFAULT],
  ])("terminationGracePeriod: %s, at most %s", (given, most, expected, findings) => {
    const spec = given === "" ? "{}" : `{terminationGracePeriod: ${given}}`;
    const found = renderWith(`{maxTerminationGracePeriod: ${most}}`, spec);
    expect(valueAt(found.spec, ["template", "spec", "terminationGracePeriod"])).toBe(expected);
    expect(found.codes).toStrictEqual(findings);
  });
});

describe("places", () => {
  const bounds = '{maxExpireAfter: 168h, maxTerminationGracePeriod: 1h, minDriftedBudget: "1"}';
  const template = (field: string) => ["spec", "template", "spec", field];
  const budget = (...rest: (string | number)[]) => ["spec", "disruption", "budgets", ...rest];

  test("bounded fields come from the RenderConfig, others from the pool", () => {
    const found = renderWith(
      bounds,
      "{expireAfter: Never, terminationGracePeriod: 5m}",
      ', disruption: {consolidateAfter: 1m, budgets: [{nodes: 20%}, {nodes: "0"}]}',
    );
    expect(found.spec["disruption"]).toStrictEqual({
      budgets: [
        { nodes: "20%" },
        { nodes: "0", reasons: ["Underutilized", "Empty"] },
        { nodes: "1", reasons: ["Drifted"] },
      ],
      consolidateAfter: "1m",
    });
    expect(found.at(template("expireAfter"))).toBe("config.yaml:4");
    expect(found.at(template("terminationGracePeriod"))).toBe("pool.yaml:4");
    expect(found.at(budget(0, "nodes"))).toBe("pool.yaml:4");
    expect(found.at(budget(1, "nodes"))).toBe("pool.yaml:4");
    expect(found.at(budget(1, "reasons", 0))).toBe("config.yaml:4");
    expect(found.at(budget(2, "nodes"))).toBe("config.yaml:4");
  });

  test("a pool without disruption gets Karpenter's defaults and the floor", () => {
    const found = renderWith("{minDriftedBudget: 30%}", "{}");
    expect(found.spec["disruption"]).toStrictEqual({
      consolidateAfter: "0s",
      budgets: [
        { nodes: "10%", reasons: ["Underutilized", "Empty"] },
        { nodes: "30%", reasons: ["Drifted"] },
      ],
    });
    expect(found.codes).toStrictEqual(["info default-bounded"]);
    expect(found.at(budget(0, "nodes"))).toBe("config.yaml:4");
  });

  test("a pool with a Hard limit keeps it: the mode is not rendered", () => {
    const found = renderWith(
      bounds,
      "{expireAfter: 1h, terminationGracePeriod: 5m}",
      ", limits: {nodes: 3}, disruption: {consolidateAfter: 1m, nodeLimitMode: Hard}",
    );
    expect(found.spec["disruption"]).toStrictEqual({ consolidateAfter: "1m" });
    expect(found.codes).toStrictEqual([]);
  });
});

/** The status of wrappers reports conflicts on the same keys as rendering. */
import { describe, expect, it } from "vitest";
import { makeBundle, policyText, poolText } from "../../../test/support/bundle.ts";
import { resolve } from "../../resolve/resolve.ts";
import { poolConflicts } from "./render-cluster.ts";

describe("poolConflicts", () => {
  it.each([
    ["tier: gold", "[]", "bypass"],
    ["tier: silver", "[]", undefined],
    ["tier: gold", "[{key: tier, operator: In, values: [gold]}]", "bypass"],
    ["kubernetes.io/arch: arm64", "[]", "conflict"],
  ])("with the template label `%s` and the entries %s: %s", (label, requirements, what) => {
    const policy =
      "{key: tier, operator: NotIn, values: [gold]}, {key: kubernetes.io/arch, operator: In, values: [amd64]}";
    const bundle = makeBundle({
      "policy.yaml": policyText(`{nodePoolDefaults: {requirements: [${policy}]}}`),
      "pool.yaml": poolText(`{template: {metadata: {labels: {${label}}}, spec: {requirements: ${requirements}}}}`),
    });
    const key = label.slice(0, label.indexOf(":"));
    const expected = what === undefined ? [] : [{ pool: "web", key, what }];
    const { pools } = resolve(bundle, { onBypass: "Block" });
    expect(poolConflicts(pools)).toStrictEqual(expected);
    const users = pools.map((pool) => ({ ...pool, wrapper: { ...pool.wrapper, kind: "NodePool" } }));
    expect(poolConflicts(users)).toStrictEqual([]);
  });
});

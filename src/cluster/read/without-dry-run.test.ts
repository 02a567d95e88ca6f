/** What a write would store, without asking the server. */
import { describe, expect, it } from "vitest";
import type { LiveObject } from "../api/live-object.ts";
import { appliedTo, isRefusedToUser, notAskedSentences, replacedIn } from "./without-dry-run.ts";

const apply = (manager: string, fieldsV1: object) => ({ manager, operation: "Apply", fieldsV1 });

/** `weight` and a requirement are anp's, the label by is another's, `expireAfter` is a default. */
const LIVE = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: {
    name: "web",
    labels: { by: "hand", ours: "1" },
    managedFields: [
      apply("anp", {
        "f:metadata": { "f:labels": { "f:ours": {} } },
        "f:spec": { "f:weight": {}, "f:template": { "f:spec": { "f:requirements": {} } } },
      }),
      apply("hand", { "f:metadata": { "f:labels": { "f:by": {} } } }),
    ],
  },
  spec: { weight: 10, template: { spec: { requirements: [{ key: "a", operator: "Exists" }], expireAfter: "720h" } } },
} as unknown as LiveObject;

const written = (spec: object) => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: spec as Record<string, unknown>,
});

describe("without a dry run", () => {
  it("applying removes what anp applied before, and keeps defaults and what others own", () => {
    const requirements = [{ key: "b", operator: "Exists" }];
    const { metadata, spec } = appliedTo(LIVE, written({ template: { spec: { requirements } } }));
    expect(spec).toStrictEqual({ template: { spec: { requirements, expireAfter: "720h" } } });
    expect(metadata.labels).toStrictEqual({ by: "hand" });
  });

  it("applying replaces a map that another manager owns as a whole", () => {
    const managedFields = [apply("hand", { "f:spec": { "f:limits": {} } })];
    const live = { ...LIVE, metadata: { name: "web", managedFields }, spec: { limits: { cpu: "1", memory: "1Gi" } } };
    const { spec } = appliedTo(live as unknown as LiveObject, written({ limits: { cpu: "2" } }));
    expect(spec).toStrictEqual({ limits: { cpu: "2" } });
  });

  it("replacing a spec keeps defaults alone", () => {
    expect(replacedIn(LIVE, { template: { spec: { requirements: [] } } })).toStrictEqual({
      template: { spec: { requirements: [], expireAfter: "720h" } },
    });
  });

  it("defaults are unknown without records of managers", () => {
    const { managedFields: _none, ...metadata } = LIVE.metadata;
    expect(replacedIn({ ...LIVE, metadata }, { weight: 1 })).toStrictEqual({ weight: 1 });
  });

  it.each([
    [true, { kind: "forbidden", message: "cannot patch resource" }],
    [true, { kind: "invalid", message: "ValidatingAdmissionPolicy 'karpenter.nodepool.hypershift.io' with binding" }],
    [false, { kind: "invalid", message: "ValidatingAdmissionPolicy 'of-another-tool' with binding" }],
    [false, { kind: "invalid", message: "spec.weight: Invalid value" }],
    [false, { kind: "unavailable", message: "timeout" }],
  ] as const)("%s: is refused to the user: %j", (refused, error) => {
    expect(isRefusedToUser({ status: 403, ...error })).toBe(refused);
  });

  it("one sentence names the objects and the reason", () => {
    expect(notAskedSentences([])).toStrictEqual([]);
    const refused = ["a", "b", "c", "d"].map((name) => ({ name: `NodePool ${name}`, message: "no" }));
    expect(notAskedSentences(refused)).toStrictEqual([
      expect.stringContaining("dry run of NodePool a, NodePool b, NodePool c and 1 other: no; compared with"),
    ]);
  });
});

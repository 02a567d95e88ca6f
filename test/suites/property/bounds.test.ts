/** Tests bounds of a RenderConfig on random pools: they apply, the result is valid, and each field has its origin. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { prove } from "../../../src/analyze/check/prove.ts";
import { typeFilter } from "../../../src/karpenter/catalogue/type-filter.ts";
import {
  allowedDisruptions,
  type Budget,
  budgetNodes,
  readBudget,
} from "../../../src/karpenter/disruption/disruption-budget.ts";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import { shippedCatalogue } from "../../../src/library/shipped-catalogue.ts";
import { disruptionReasons } from "../../../src/model/pools/disruption-reasons.ts";
import { parseGoDuration } from "../../../src/model/values/go-duration.ts";
import { PROFILES } from "../../../src/model/crds/profile.ts";
import { render } from "../../../src/render/render.ts";
import { originOf } from "../../../src/resolve/origin.ts";
import { resolve } from "../../../src/resolve/resolve.ts";
import { makeBundle, policyText } from "../../support/bundle.ts";
import { seedOf } from "../../support/property/seed.ts";

const times = fc.oneof(
  fc.constantFrom("0s", "1h30m", "24h", "720h", "100000h", "90m", "3600s"),
  fc.integer({ min: 1, max: 2000 }).map((hours) => `${hours}h`),
);
const lifetime = fc.oneof({ weight: 3, arbitrary: times }, fc.constant("Never"));
const bound = times.filter((text) => text !== "0s");
const absent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const budget = fc
  .record({
    nodes: absent(
      fc.oneof(
        fc.integer({ min: 0, max: 100 }).map((share) => `${share}%`),
        fc.integer({ min: 0, max: 30 }).map(String),
        fc.constantFrom("4294967296", "99999999999999999999"),
      ),
    ),
    reasons: absent(fc.subarray(["Empty", "Drifted", "Underutilized"] as const)),
    times: fc.constantFrom(
      {},
      {},
      { schedule: "0 9 * * mon-fri", duration: "8h" },
      { schedule: "@daily", duration: "24h" },
      { schedule: "0 9 * * 7", duration: "1h" },
    ),
  })
  .map(({ times: when, ...rest }) => ({ ...rest, ...when }));

const scenario = fc.record({
  profile: fc.constantFrom(...PROFILES),
  bounds: fc.record({
    maxExpireAfter: absent(bound),
    maxTerminationGracePeriod: absent(bound),
    minDriftedBudget: absent(fc.constantFrom("1", "2", "10", "1%", "10%", "60%", "100%")),
  }),
  expireAfter: absent(lifetime),
  terminationGracePeriod: absent(times),
  budgets: absent(fc.array(budget, { maxLength: 6 })),
  disruption: fc.boolean(),
  nodes: absent(fc.nat({ max: 3 })),
  annotated: fc.boolean(),
  total: fc.nat({ max: 120 }),
  at: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
});

const GROUP = "karpenter.hypershift.openshift.io";
const ns = (text: unknown): bigint => parseGoDuration(String(text)) ?? -1n;

function leaves(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, item]) =>
    leaves(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

describe("a pool under bounds", () => {
  const filter = typeFilter(shippedCatalogue());

  test("is within them, otherwise unchanged, and has a bounded node lifetime if lifetimes are bounded", () => {
    let [bounded, raised] = [0, 0];
    fc.assert(
      fc.property(scenario, (given) => {
        const { profile, bounds, expireAfter, terminationGracePeriod, nodes, total, at } = given;
        const disruption =
          given.disruption || given.budgets !== undefined
            ? { consolidateAfter: "1m", consolidationPolicy: "WhenEmpty", budgets: given.budgets }
            : undefined;
        const annotations = given.annotated ? { "karpenter.sh/do-not-disrupt": "true" } : undefined;
        const pool = {
          apiVersion: `${GROUP}/v1beta1`,
          kind: "OpenshiftNodePool",
          metadata: { name: "web" },
          spec: {
            template: { metadata: { annotations }, spec: { expireAfter, terminationGracePeriod } },
            disruption,
            ...(nodes === undefined ? {} : { limits: { nodes } }),
          },
        };
        const config = {
          apiVersion: "anp.hypershift.openshift.io/v1alpha1",
          kind: "RenderConfig",
          spec: { profile, ...bounds },
        };
        const cluster = resolve(
          makeBundle({
            "policy.yaml": policyText("{nodePoolDefaults: {requirements: []}}"),
            "config.yaml": stringify(config),
            "pool.yaml": stringify(pool),
          }),
          {},
        );
        const { value, findings } = render(cluster);
        expect(findings.filter(({ severity }) => severity === "error")).toStrictEqual([]);
        const rendered = value.find(({ object }) => object.kind === "NodePool")!;
        const { template, disruption: now, ...rest } = rendered.object.spec as Record<string, unknown>;
        const spec = valueAt(template, ["spec"]) as Readonly<Record<string, string | undefined>>;

        const lives = spec["expireAfter"] ?? "720h";
        const { maxExpireAfter: most, maxTerminationGracePeriod: grace, minDriftedBudget: floor } = bounds;
        if (most === undefined) expect(spec["expireAfter"]).toBe(expireAfter);
        else expect(lives !== "Never" && ns(lives) <= ns(most)).toBe(true);
        if (grace === undefined) expect(spec["terminationGracePeriod"]).toBe(terminationGracePeriod);
        else
          expect(ns(spec["terminationGracePeriod"]) >= 0n && ns(spec["terminationGracePeriod"]) <= ns(grace)).toBe(
            true,
          );
        if (spec["expireAfter"] !== expireAfter) bounded += 1;

        const before = (given.budgets ?? [{ nodes: "10%" }]).map(readBudget);
        const after = ((valueAt(now, ["budgets"]) as Budget[] | undefined) ?? [{ nodes: "10%" }]).map(readBudget);
        for (const reason of disruptionReasons(profile)) {
          const clamp = (allowed: number) => Math.max(0, Math.min(allowed, total));
          const was = clamp(allowedDisruptions(before, reason, total, at).nodes);
          const is = clamp(allowedDisruptions(after, reason, total, at).nodes);
          const least = floor === undefined || reason !== "Drifted" ? 0 : clamp(Number(budgetNodes(floor, total)));
          expect(is).toBeGreaterThanOrEqual(least);
          if (reason !== "Drifted" || floor === undefined) expect(is).toBe(was);
          else expect(is).toBeLessThanOrEqual(Math.max(was, least));
        }
        if (findings.some(({ code }) => code === "drifted-budget-raised")) raised += 1;
        const others = (one: unknown) => ({ ...(one as object | undefined), budgets: undefined });
        if (disruption !== undefined) expect(others(now)).toStrictEqual(others(disruption));
        expect(rest).toStrictEqual(nodes === undefined ? {} : { limits: { nodes } });

        for (const path of leaves(rendered.object.spec, ["spec"])) {
          const place = originOf(rendered, path);
          if (place !== undefined)
            expect(valueAt(place.resource.value, place.path), path.join(".")).not.toBe(undefined);
        }

        const { running } = prove(cluster, filter)!;
        const [one] = running!.pools;
        if (most !== undefined) {
          expect(running!.witness).toBeUndefined();
          expect(one!.until).toBe(spec["terminationGracePeriod"] === undefined ? "goes" : "by");
        } else if (floor !== undefined && one!.until === "never") {
          // Everything except budgets and limits.
          expect(given.annotated).toBe(true);
        }
      }),
      { numRuns: 500, seed: seedOf("bounds", 20_261_123) },
    );
    expect(Math.min(bounded, raised)).toBeGreaterThan(50);
  }, 120_000);
});

/** Tests that diff and proof of the same files agree about running nodes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { runAnp } from "../../support/process/run-anp.ts";
import { seedOf } from "../../support/property/seed.ts";

const POOLS = 300;

const length = fc.constantFrom("0s", "30m", "24h", "720h");
const times = fc.constantFrom(
  {},
  { schedule: "0 8 * * *", duration: "12h" },
  { schedule: "0 20 * * *", duration: "12h" },
  { schedule: "@daily", duration: "24h" },
  { schedule: "0 0 * * mon-fri", duration: "24h" },
  { schedule: "0 9 * * 7", duration: "8h" },
);
const budget = fc
  .tuple(fc.constantFrom("0", "0%", "1", "10%"), fc.constantFrom(undefined, ["Drifted"], ["Empty"]), times)
  .map(([nodes, reasons, more]) => ({ nodes, ...(reasons === undefined ? {} : { reasons }), ...more }));

const pool = fc.record(
  {
    expireAfter: fc.oneof(fc.constant("Never"), length),
    terminationGracePeriod: length,
    budgets: fc.array(budget, { maxLength: 3 }),
    limit: fc.constantFrom(1, 2, 10),
    mode: fc.constantFrom("Hard", "Soft"),
  },
  { requiredKeys: [] },
);

const folder = mkdtempSync(join(tmpdir(), "anp-settles-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("reports in both for every pool how long nodes outside the policy remain", async () => {
  const pools = fc.sample(pool, { numRuns: POOLS, seed: seedOf("settles", 20_261_123) });
  for (const [side, values] of [
    ["old", ["m5", "m6i"]],
    ["new", ["m6i"]],
  ] as const) {
    mkdirSync(join(folder, side));
    const objects = [policyOf(values), ...pools.map(wrapperOf)];
    writeFileSync(join(folder, side, "all.yaml"), objects.map((object) => JSON.stringify(object)).join("\n---\n"));
  }
  const diff = await runAnp(["diff", "new", "--against", "old", "-o", "json"], { cwd: folder });
  const { changes } = JSON.parse(diff.stdout) as {
    changes: { resource: { name: string }; settles: { until: string; why: string } | null }[];
  };
  const proof = await runAnp(["check", "new", "--prove", "-o", "json"], { cwd: folder });
  const { proofs } = JSON.parse(proof.stdout) as {
    proofs: { running: { until: string; pools: { pool: string; until: string; why: string }[] } }[];
  };
  const { running } = proofs[0]!;
  const said = changes.flatMap(({ resource, settles }) =>
    settles === null ? [] : [[resource.name, settles.until, settles.why.split("; the budgets allow no disruption")[0]]],
  );
  const proved = running.pools.map(({ pool: name, until, why }) => [name, until === "goes" ? "open" : until, why]);
  const lines = (all: readonly (readonly unknown[])[]) =>
    all.map((one) => JSON.stringify(one)).toSorted((a, b) => (a < b ? -1 : 1));
  expect(lines(said)).toStrictEqual(lines(proved));
  expect(running.until).toBe("never");
  for (const until of ["by", "open", "never"])
    expect(said.filter(([, is]) => is === until).length, until).toBeGreaterThan(POOLS / 20);
});

function policyOf(values: readonly string[]): object {
  return {
    apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
    kind: "AutoNodePolicy",
    metadata: { name: "default", namespace: "clusters-shop" },
    spec: {
      nodePoolDefaults: { requirements: [{ key: "karpenter.k8s.aws/instance-family", operator: "In", values }] },
    },
  };
}

type Pool = typeof pool extends fc.Arbitrary<infer T> ? T : never;

function wrapperOf({ expireAfter, terminationGracePeriod, budgets, limit, mode }: Pool, index: number): object {
  return {
    apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
    kind: "OpenshiftNodePool",
    metadata: { name: `p${index}` },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: "karpenter.hypershift.openshift.io", kind: "OpenshiftEC2NodeClass", name: "default" },
          requirements: [],
          expireAfter,
          terminationGracePeriod,
        },
      },
      disruption: { consolidateAfter: "1m", budgets, nodeLimitMode: mode },
      ...(limit === undefined ? {} : { limits: { nodes: limit } }),
    },
  };
}

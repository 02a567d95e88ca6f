/** Tests NodeClaims under a guard on a real API server: only Karpenter creates them, and only within the policy. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { admitPool } from "../../../src/guard/admit-pool.ts";
import { canGenerateValue } from "../../../src/karpenter/requirements/generated-value.ts";
import { labelPresence } from "../../../src/karpenter/requirements/label-presence.ts";
import { nodeLabel } from "../../../src/karpenter/requirements/node-label.ts";
import { has, isEmpty, type Requirement, serialize } from "../../../src/karpenter/requirements/requirement.ts";
import { requirementsOf as merged } from "../../../src/karpenter/requirements/requirements.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, until } from "../../support/controlplane/objects.ts";
import { claimOf, forPods } from "../../support/guard/attacks/guarded-clusters.ts";
import { enforce, type Entries, outcomeOf, startCluster } from "../../support/guard/guarded-cluster.ts";
import { policiesWithPools } from "../../support/guard/policies-and-pools.ts";

const KEYS = {
  arch: "kubernetes.io/arch",
  cpu: "karpenter.k8s.aws/instance-cpu",
  memory: "karpenter.k8s.aws/instance-memory",
  gpus: "karpenter.k8s.aws/instance-gpu-count",
  gpu: "karpenter.k8s.aws/instance-gpu-name",
  windows: "node.kubernetes.io/windows-build",
  tier: "example.com/tier",
};
const one = (key: string, operator: Entries[number]["operator"], ...values: string[]): Entries[number] =>
  values.length === 0 ? { key, operator } : { key, operator, values };

const POLICY: Entries = [
  one(KEYS.arch, "In", "amd64"),
  one(KEYS.cpu, "Gt", "3"),
  one(KEYS.cpu, "Lt", "17"),
  one(KEYS.memory, "NotIn", "1024", "2048"),
  one(KEYS.gpus, "NotIn", "8"),
  one(KEYS.gpu, "Exists"),
  one(KEYS.windows, "DoesNotExist"),
  one(KEYS.tier, "In", "gold"),
];
/** As Karpenter writes a claim with only the policy's requirements. */
const CLAIMED: Entries = [
  one(KEYS.arch, "In", "amd64"),
  one(KEYS.cpu, "Gte", "4"),
  one(KEYS.cpu, "Lte", "16"),
  one(KEYS.memory, "NotIn", "1024", "2048"),
  one(KEYS.gpus, "NotIn", "8"),
  one(KEYS.gpu, "Exists"),
  one(KEYS.windows, "DoesNotExist"),
  one(KEYS.tier, "In", "gold"),
];

const BOUNDS = { maxExpireAfter: "168h", maxTerminationGracePeriod: "1h", minDriftedBudget: "1" };

describe("a NodeClaim under a guard", () => {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startCluster();
    await enforce(controlPlane, POLICY);
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  const outcome = async (claim: KubernetesObject, user: "system:admin" | "guest-admin" = "system:admin") =>
    outcomeOf(await create(controlPlane, user, claim, { dryRun: true }));

  test("can only be created by Karpenter, with its pool as label and owner", async () => {
    expect(await outcome(claimOf("web", CLAIMED))).toBe("stored");
    expect(await outcome(claimOf("web", CLAIMED), "guest-admin")).toMatch(/^NodeClaims are Karpenter's alone/);
    const { metadata, ...rest } = claimOf("web", CLAIMED);
    const others = { ...rest, metadata: { ...metadata!, labels: { "karpenter.sh/nodepool": "other" } } };
    expect(await outcome(others)).toMatch(/^NodeClaims are Karpenter's alone/);
  });

  test.each<[string, Entries]>([
    [KEYS.cpu, [one(KEYS.cpu, "In", "4", "8")]],
    [KEYS.cpu, [one(KEYS.cpu, "Gte", "5"), one(KEYS.cpu, "Lte", "8")]],
    [KEYS.memory, [one(KEYS.memory, "NotIn", "1024", "2048", "4096")]],
    // Bounds that omit the excluded value are enough.
    [KEYS.memory, [one(KEYS.memory, "Gte", "2049")]],
    [KEYS.memory, [one(KEYS.memory, "Lte", "1000")]],
    [KEYS.memory, [one(KEYS.memory, "Gte", "1025"), one(KEYS.memory, "Lte", "2047")]],
    [KEYS.memory, [one(KEYS.memory, "In", "4096")]],
    [KEYS.gpus, [one(KEYS.gpus, "DoesNotExist")]],
    [KEYS.gpus, [one(KEYS.gpus, "In", "1")]],
    [KEYS.gpu, [one(KEYS.gpu, "In", "a100")]],
    [KEYS.gpu, [one(KEYS.gpu, "NotIn", "t4")]],
    // For a custom label its value counts.
    [KEYS.tier, []],
  ])("may ask for less: on %s for %j", async (key, entries) => {
    expect(await outcome(claimOf("web", [...CLAIMED.filter((entry) => entry.key !== key), ...entries]))).toBe("stored");
  });

  test.each<[string, Entries]>([
    [KEYS.arch, []],
    [KEYS.arch, [one(KEYS.arch, "In", "amd64", "arm64")]],
    [KEYS.arch, [one(KEYS.arch, "Exists")]],
    [KEYS.arch, [one(KEYS.arch, "NotIn", "s390x")]],
    [KEYS.cpu, []],
    [KEYS.cpu, [one(KEYS.cpu, "Gte", "4")]],
    [KEYS.cpu, [one(KEYS.cpu, "Gte", "3"), one(KEYS.cpu, "Lte", "16")]],
    [KEYS.cpu, [one(KEYS.cpu, "In", "4", "32")]],
    [KEYS.cpu, [one(KEYS.cpu, "DoesNotExist")]],
    [KEYS.memory, [one(KEYS.memory, "NotIn", "1024")]],
    // With bounds Karpenter loses excluded values, and a static pool has no other record of them.
    [KEYS.memory, [one(KEYS.memory, "Gte", "1000")]],
    [KEYS.memory, [one(KEYS.memory, "Gte", "1024"), one(KEYS.memory, "Lte", "1024")]],
    [KEYS.memory, [one(KEYS.memory, "Gte", "1000"), one("node.kubernetes.io/instance-type", "In", "t2.micro")]],
    [KEYS.memory, [one(KEYS.memory, "Exists")]],
    [KEYS.memory, [one(KEYS.memory, "In", "1024")]],
    [KEYS.gpus, [one(KEYS.gpus, "In", "8")]],
    [KEYS.gpus, [one(KEYS.gpus, "Exists")]],
    [KEYS.gpu, []],
    [KEYS.gpu, [one(KEYS.gpu, "DoesNotExist")]],
    [KEYS.windows, [one(KEYS.windows, "Exists")]],
    [KEYS.windows, [one(KEYS.windows, "In", "10.0.1")]],
  ])("may not ask for more: on %s for %j", async (key, entries) => {
    const claim = claimOf("web", [...CLAIMED.filter((entry) => entry.key !== key), ...entries]);
    expect(await outcome(claim)).toMatch(/^a NodeClaim has to keep to the AutoNodePolicy's/);
  });

  test("for pods lists the remaining types, with bounds that lose excluded values", async () => {
    const bounded = (own: Entries): Entries => [...CLAIMED.filter(({ key }) => key !== KEYS.memory), ...own];
    const claim = forPods(claimOf("web", bounded([one(KEYS.memory, "Gte", "1000")])));
    expect(await outcome(claim)).toBe("stored");
    const { resources: _, ...spec } = claim.spec as Record<string, unknown>;
    expect(await outcome({ ...claim, spec })).toMatch(/^a NodeClaim has to keep to/);
    const listing = claimOf("web", bounded([one(KEYS.memory, "Gte", "1000")]));
    const asking = { ...listing, spec: { ...listing.spec, resources: { requests: { pods: "1" } } } };
    expect(await outcome(asking)).toMatch(/^a NodeClaim has to keep to/);
  });

  test("is in a reservation if the policy requires any, regardless of what pods exclude", async () => {
    const type = "karpenter.k8s.aws/capacity-reservation-type";
    await enforce(controlPlane, [one(type, "Exists")]);
    const capacity = (...values: string[]): Entries => [one("karpenter.sh/capacity-type", "In", ...values)];
    const excluding = one(type, "NotIn", "capacity-block");
    expect(await outcome(claimOf("web", [one(type, "Exists"), ...capacity("reserved", "spot")]))).toBe("stored");
    expect(await outcome(claimOf("web", [one(type, "In", "default"), ...capacity("spot")]))).toBe("stored");
    expect(await outcome(claimOf("web", [excluding, ...capacity("reserved")]))).toBe("stored");
    for (const others of [[], capacity("on-demand"), capacity("on-demand", "reserved")])
      expect(await outcome(claimOf("web", [excluding, ...others]))).toMatch(/^a NodeClaim has to keep to/);
    await enforce(controlPlane, POLICY);
  });

  test.each<[string, Entries[number][], string | undefined, boolean]>([
    ["is listed", [one(KEYS.tier, "In", "gold", "silver")], "silver", true],
    ["is not listed", [one(KEYS.tier, "In", "gold", "silver")], "bronze", false],
    ["is missing", [one(KEYS.tier, "In", "gold")], undefined, false],
    ["is missing where the policy only excludes", [one(KEYS.tier, "NotIn", "gold")], undefined, true],
    ["is missing where it must not be there", [one(KEYS.tier, "DoesNotExist")], undefined, true],
    ["is there where it must not be", [one(KEYS.tier, "DoesNotExist")], "gold", false],
    ["is the number that a pod asks for by Gt 6 and Lt 8", [one(KEYS.tier, "NotIn", "7")], "7", false],
    ["is another number", [one(KEYS.tier, "NotIn", "7")], "8", true],
    ["is missing, since a pod asks for an empty value", [one(KEYS.tier, "Exists")], undefined, false],
    ["is a number outside the bounds", [one(KEYS.tier, "Gt", "6"), one(KEYS.tier, "Lt", "9")], "9", false],
    ["is no number within bounds", [one(KEYS.tier, "Gt", "6")], "x", false],
    // The policy's own entries have no other result.
    [
      "is the result of the policy alone",
      [one(KEYS.tier, "NotIn", "7"), one(KEYS.tier, "Gt", "6"), one(KEYS.tier, "Lt", "8")],
      "7",
      true,
    ],
  ])("carries a label that %s", async (_what, policy, value, passes) => {
    await enforce(controlPlane, policy);
    const labels: Record<string, string> = value === undefined ? {} : { [KEYS.tier]: value };
    const outcome = outcomeOf(await create(controlPlane, "system:admin", claimOf("web", [], labels), { dryRun: true }));
    if (passes) expect(outcome).toBe("stored");
    else expect(outcome).toMatch(/^the label example.com\/tier of a NodeClaim has to keep to/);
  });

  test("of another provider is ignored", async () => {
    const claim = claimOf("web", [one(KEYS.arch, "In", "arm64")]);
    const nodeClassRef = { group: "karpenter.kwok.sh", kind: "KWOKNodeClass", name: "default" };
    expect(await outcome({ ...claim, spec: { ...claim.spec, nodeClassRef } })).toBe("stored");
  });

  test("is never refused for a pool that has the policy", async () => {
    const cases = fc.sample(policiesWithPools(10, {}), { numRuns: 12, seed: 20_261_123 });
    let claims = 0;
    for (const { policy, pools } of cases) {
      await enforce(controlPlane, policy);
      for (const [index, { own, labels }] of pools.entries()) {
        const isStatic = index % 2 === 1;
        const foretold = admitPool(policy, { requirements: own, labels, isStatic });
        if ("refused" in foretold) continue;
        const all = [...merged(foretold.stored).values()];
        // No instance type remains, so Karpenter creates no claim.
        if (all.some((entry) => isEmpty(entry) && labelPresence(entry.key) === "always")) continue;
        // Karpenter finds no number and panics.
        if (all.some((entry) => labelPresence(entry.key) === "custom" && !canGenerateValue(entry))) continue;
        const asked = all.flatMap(serialize);
        claims += 1;
        const claim = claimOf("web", asked, labelsOf(all, labels));
        expect(await outcome(isStatic ? claim : forPods(claim)), JSON.stringify({ policy, own })).not.toMatch(
          /^(a NodeClaim has to|the label )/,
        );
      }
    }
    expect(claims).toBeGreaterThan(30);
  });

  test.each<[string, object, RegExp | undefined]>([
    ["both within the bounds", { expireAfter: "100h", terminationGracePeriod: "30m" }, undefined],
    ["both at them", { expireAfter: "168h", terminationGracePeriod: "1h" }, undefined],
    [
      "no end",
      { expireAfter: "Never", terminationGracePeriod: "1h" },
      /^the expireAfter of a NodeClaim is 168h at most/,
    ],
    ["a later end", { expireAfter: "168h1s", terminationGracePeriod: "1h" }, /^the expireAfter of a NodeClaim/],
    ["Karpenter's default end", { terminationGracePeriod: "1h" }, /^the expireAfter of a NodeClaim/],
    ["a longer grace period", { expireAfter: "1h", terminationGracePeriod: "2h" }, /^the terminationGracePeriod of a/],
    ["no grace period, which has no end", { expireAfter: "1h" }, /^the terminationGracePeriod of a NodeClaim is 1h/],
  ])("stays no longer than the bounds let it: %s", async (_what, times, refusal) => {
    const policy: Entries = [one(KEYS.arch, "In", "amd64")];
    await enforce(controlPlane, policy, { bounds: BOUNDS });
    const made = claimOf("web", policy);
    const bounded = { ...made, spec: { ...made.spec, ...times } };
    await until("the bounds of NodeClaims act", async () => {
      const forEver = { ...made, spec: { ...made.spec, expireAfter: "Never" } };
      return (await create(controlPlane, "system:admin", forEver, { dryRun: true })).status === 422;
    });
    const outcome = outcomeOf(await create(controlPlane, "system:admin", bounded, { dryRun: true }));
    if (refusal === undefined) expect(outcome).toBe("stored");
    else expect(outcome).toMatch(refusal);
  });
});

/** As Karpenter takes them from the merged requirements, with a number that is not excluded if possible. */
function labelsOf(all: readonly Requirement[], template: Readonly<Record<string, string>>): Record<string, string> {
  const made = all.flatMap((merged): [string, string][] => {
    const label = nodeLabel(merged, { template: template[merged.key] });
    if (label.from === "list" && label.values[0] !== undefined) return [[merged.key, label.values[0]]];
    if (label.from !== "range") return [];
    const numbers = Array.from({ length: 50 }, (_, index) => label.first + BigInt(index));
    const value = numbers.find((number) => number <= label.last && has(merged, String(number)));
    return value === undefined ? [] : [[merged.key, String(value)]];
  });
  return { ...Object.fromEntries(made), ...template };
}

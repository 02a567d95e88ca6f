/** NodeClaims under a guard on a real API server: who makes them, and that none asks for more than the policy. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { admitPool } from "../../../src/guard/admit-pool.ts";
import { labelPresence } from "../../../src/karpenter/requirements/label-presence.ts";
import { isEmpty, serialize } from "../../../src/karpenter/requirements/requirement.ts";
import { requirementsOf as merged } from "../../../src/karpenter/requirements/requirements.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create } from "../../support/controlplane/objects.ts";
import { claimOf } from "../../support/guard/attacks/guarded-clusters.ts";
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
/** As Karpenter writes what the policy alone asks for. */
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

  test("is Karpenter's to make, with its pool as label and owner", async () => {
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
    // Beside bounds Karpenter loses what is excluded.
    [KEYS.memory, [one(KEYS.memory, "Gte", "1000")]],
    [KEYS.memory, [one(KEYS.memory, "In", "4096")]],
    [KEYS.gpus, [one(KEYS.gpus, "DoesNotExist")]],
    [KEYS.gpus, [one(KEYS.gpus, "In", "1")]],
    [KEYS.gpu, [one(KEYS.gpu, "In", "a100")]],
    [KEYS.gpu, [one(KEYS.gpu, "NotIn", "t4")]],
    // A label of the node, which no instance type decides.
    [KEYS.tier, [one(KEYS.tier, "DoesNotExist")]],
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

  test("of another provider is not asked", async () => {
    const claim = claimOf("web", [one(KEYS.arch, "In", "arm64")]);
    const nodeClassRef = { group: "karpenter.kwok.sh", kind: "KWOKNodeClass", name: "default" };
    expect(await outcome({ ...claim, spec: { ...claim.spec, nodeClassRef } })).toBe("stored");
  });

  test("is never refused of a pool that carries the policy", async () => {
    const cases = fc.sample(policiesWithPools(10, {}), { numRuns: 12, seed: 20_261_123 });
    let claims = 0;
    for (const { policy, pools } of cases) {
      await enforce(controlPlane, policy);
      for (const { own, labels } of pools) {
        const foretold = admitPool(policy, { requirements: own, labels });
        if ("refused" in foretold) continue;
        const all = [...merged(foretold.stored).values()];
        // No instance type is left, so that Karpenter asks for nothing.
        if (all.some((entry) => isEmpty(entry) && labelPresence(entry.key) === "always")) continue;
        const asked = all.flatMap(serialize);
        claims += 1;
        expect(await outcome(claimOf("web", asked)), JSON.stringify({ policy, own })).not.toMatch(
          /^a NodeClaim has to/,
        );
      }
    }
    expect(claims).toBeGreaterThan(30);
  });
});

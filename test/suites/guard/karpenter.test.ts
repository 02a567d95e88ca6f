/** A real Karpenter under a guard: as the user that it lets in, with pools that carry the policy and its mark. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { otherProvider } from "../../../src/karpenter/provider/other.ts";
import type { Provider } from "../../../src/karpenter/provider/provider.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { get, until } from "../../support/controlplane/objects.ts";
import { END, enforce, type Entries, poolOf, requirementsOf } from "../../support/guard/guarded-cluster.ts";
import { decisionsOn } from "../../support/karpenter/decisions.ts";
import { createPending } from "../../support/karpenter/pods.ts";
import { createNodeClass, createReadyPools, forKwok } from "../../support/karpenter/pools.ts";
import { type Karpenter, startKarpenter } from "../../support/karpenter/start-karpenter.ts";

/** kwok's own labels are on each of its instance types. */
const KWOK: Provider = otherProvider("karpenter.kwok.sh");
const POLICY: Entries = [
  { key: "kubernetes.io/arch", operator: "In", values: ["arm64"] },
  { key: "example.com/tier", operator: "In", values: ["gold"] },
];
const POOLS = ["first", "second"] as const;

describe("Karpenter under a guard", () => {
  let controlPlane: ControlPlane;
  let karpenter: Karpenter;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    karpenter = await startKarpenter(controlPlane);
    await createNodeClass(controlPlane);
    await enforce(controlPlane, POLICY, { provider: KWOK });
    await createReadyPools(karpenter, POOLS.map(poolFor));
  });

  afterEach(({ task }) => {
    // oxlint-disable-next-line no-console
    if (task.result?.state === "fail") console.error(karpenter?.log().slice(-10_000));
  });

  afterAll(async () => {
    await karpenter?.stop();
    await controlPlane?.stop();
  });

  test("takes the pools that carry the policy, writes to them, and launches what policy and pool ask for", async () => {
    for (const [index, name] of POOLS.entries()) {
      const pool = await liveOf(name);
      expect(requirementsOf(pool).slice(0, POLICY.length + 1)).toEqual([...POLICY, END]);
      expect(pool.metadata?.annotations).toHaveProperty(["karpenter.sh/nodepool-hash"]);
      const cpu = String(index + 1);
      await createPending(controlPlane, [podFor(name, cpu)]);
      const decision = (await decisionsOn(karpenter, [{ name, pools: [name], cpu }])).get(name);
      expect(decision).toMatchObject({ nodePool: name });
    }
    const { body } = await controlPlane.request("system:admin", "GET", "/apis/karpenter.sh/v1/nodeclaims");
    const claims = body.items ?? [];
    expect(claims).toHaveLength(POOLS.length);
    for (const { metadata, spec } of claims) {
      // Of the mark there is an entry in the claim, and no label on the node.
      expect(metadata?.labels).toMatchObject({ "kubernetes.io/arch": "arm64", "example.com/tier": "gold" });
      expect(metadata?.labels).not.toHaveProperty([END.key]);
      expect((spec as { requirements: Entries }).requirements).toContainEqual(END);
    }
  });

  test("replaces no node because of the mark, and does because of a policy that its node fails", async () => {
    const path = "/apis/karpenter.sh/v1/nodeclaims";
    const drifted = async (): Promise<number> => {
      const { body } = await controlPlane.request("system:admin", "GET", path);
      return (body.items ?? []).filter(({ status }) => {
        const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string }[] };
        return conditions.some(({ type, status: is }) => type === "Drifted" && is === "True");
      }).length;
    };
    expect(await drifted()).toBe(0);
    await enforce(controlPlane, [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }], { provider: KWOK });
    await controlPlane.request("guest-admin", "PATCH", `/apis/karpenter.sh/v1/nodepools/first`, {});
    await until("the node that does not conform drifts", async () => (await drifted()) > 0, 60_000);
    expect(requirementsOf(await liveOf("second")).slice(0, 2)).toEqual(POLICY);
  });

  async function liveOf(name: string): Promise<KubernetesObject> {
    return (await get(controlPlane, "system:admin", poolOf(name, []))).body;
  }
});

function poolFor(name: string): KubernetesObject {
  return forKwok({
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: { template: { spec: { requirements: [], taints: [{ key: name, effect: "NoSchedule" }] } } },
  });
}

function podFor(pool: string, cpu: string): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: pool, namespace: "default" },
    spec: {
      containers: [{ name: "main", image: "example.com/none", resources: { requests: { cpu } } }],
      tolerations: [{ key: pool, operator: "Exists" }],
    },
  };
}

/** Tests a real Karpenter under a guard, as an allowed user, with pools that have the policy and its mark. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { otherProvider } from "../../../src/karpenter/provider/other.ts";
import type { Provider } from "../../../src/karpenter/provider/provider.ts";
import { BLOCKER } from "../../../src/resolve/guarded-list.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { get, until, waitGone } from "../../support/controlplane/objects.ts";
import { END, enforce, type Entries, poolOf, requirementsOf } from "../../support/guard/guarded-cluster.ts";
import { decisionsOn } from "../../support/karpenter/decisions.ts";
import { createPending } from "../../support/karpenter/pods.ts";
import { createNodeClass, createReadyPools, forKwok } from "../../support/karpenter/pools.ts";
import { type Karpenter, startKarpenter } from "../../support/karpenter/start-karpenter.ts";

/** Every instance type has kwok's own labels. */
const KWOK: Provider = otherProvider("karpenter.kwok.sh");
const POLICY: Entries = [
  { key: "kubernetes.io/arch", operator: "In", values: ["arm64"] },
  { key: "example.com/tier", operator: "In", values: ["gold"] },
  { key: "example.com/rack", operator: "NotIn", values: ["7"] },
];
const POOLS = ["first", "second"] as const;
/** From before the guard: they leave no room for the policy, and become one entry of a NodeClaim. */
const FULL: Entries = Array.from({ length: 98 }, () => ({
  key: "example.com/tier",
  operator: "In",
  values: ["silver"],
}));

const CLAIMS = "/apis/karpenter.sh/v1/nodeclaims";

describe("Karpenter under a guard", () => {
  let controlPlane: ControlPlane;
  let karpenter: Karpenter;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    karpenter = await startKarpenter(controlPlane);
    await createNodeClass(controlPlane);
    await createReadyPools(karpenter, [poolFor("full", FULL)]);
    await enforce(controlPlane, POLICY, { provider: KWOK });
    await createReadyPools(
      karpenter,
      POOLS.map((name) => poolFor(name)),
    );
  });

  afterEach(({ task }) => {
    // oxlint-disable-next-line no-console
    if (task.result?.state === "fail") console.error(karpenter?.log().slice(-10_000));
  });

  afterAll(async () => {
    await karpenter?.stop();
    await controlPlane?.stop();
  });

  test("uses the pools with the policy, writes to them, and launches what policy and pool require", async () => {
    for (const [index, name] of POOLS.entries()) {
      const pool = await liveOf(name);
      expect(requirementsOf(pool).slice(0, POLICY.length + 1)).toEqual([...POLICY, END]);
      await until("Karpenter has written its hash", async () => {
        return (await liveOf(name)).metadata?.annotations?.["karpenter.sh/nodepool-hash"] !== undefined;
      });
      const cpu = String(index + 1);
      await createPending(controlPlane, [podFor(name, cpu)]);
      const decision = (await decisionsOn(karpenter, [{ name, pools: [name], cpu }])).get(name);
      expect(decision).toMatchObject({ nodePool: name });
    }
    const { body } = await controlPlane.request("system:admin", "GET", "/apis/karpenter.sh/v1/nodeclaims");
    const claims = body.items ?? [];
    expect(claims).toHaveLength(POOLS.length);
    for (const { metadata, spec } of claims) {
      // The mark is an entry of the claim, but not a label of the node.
      expect(metadata?.labels).toMatchObject({ "kubernetes.io/arch": "arm64", "example.com/tier": "gold" });
      expect(metadata?.labels).not.toHaveProperty([END.key]);
      expect((spec as { requirements: Entries }).requirements).toContainEqual(END);
    }
  });

  test("writes the status of what it launches, and no other user can", async () => {
    const claims = await karpenter.waitFor("a provider's instance for each claim", async () => {
      const { items = [] } = (await controlPlane.request("system:admin", "GET", CLAIMS)).body;
      const launched = items.filter(({ status }) => (status as { providerID?: string } | undefined)?.providerID);
      return launched.length === POOLS.length ? launched : undefined;
    });
    for (const { metadata, status } of claims) {
      expect((status as { providerID: string }).providerID).toMatch(/^kwok:/);
      const path = `${CLAIMS}/${metadata!.name}/status`;
      const { body } = await controlPlane.request("guest-admin", "PATCH", path, {
        status: { providerID: "kwok://evil" },
      });
      expect(body.message).toContain("Karpenter's alone to write");
    }
  });

  test("launches no node for a pool without room for the policy, and can still write to it", async () => {
    const hashed = { metadata: { annotations: { "karpenter.sh/nodepool-hash": "1" } } };
    const path = "/apis/karpenter.sh/v1/nodepools/full";
    expect((await controlPlane.request("system:admin", "PATCH", path, hashed)).status).toBe(200);
    // It updates the hash, which has changed.
    await until("Karpenter has written to it", async () => {
      return (await liveOf("full")).metadata?.annotations?.["karpenter.sh/nodepool-hash"] !== "1";
    });
    expect(requirementsOf(await liveOf("full"))).toEqual([BLOCKER, END, ...FULL]);
    await createPending(controlPlane, [podFor("full", "4")]);
    const decision = (await decisionsOn(karpenter, [{ name: "full", pools: ["full"], cpu: "4" }])).get("full");
    expect(decision).not.toHaveProperty("nodePool");
    expect((await controlPlane.request("system:admin", "GET", CLAIMS)).body.items).toHaveLength(POOLS.length);
  });

  test("launches no node for pods of a terminating pool, and can still write to it", async () => {
    const path = "/apis/karpenter.sh/v1/nodepools/second";
    const finalizers = ["example.com/keep"];
    expect((await controlPlane.request("guest-admin", "PATCH", path, { metadata: { finalizers } })).status).toBe(200);
    await controlPlane.request("guest-admin", "DELETE", path);
    const hashed = { metadata: { annotations: { "karpenter.sh/nodepool-hash": "1" } } };
    expect((await controlPlane.request("system:admin", "PATCH", path, hashed)).status).toBe(200);
    await until("Karpenter has written to it", async () => {
      return (await liveOf("second")).metadata?.annotations?.["karpenter.sh/nodepool-hash"] !== "1";
    });
    const { metadata, ...pod } = podFor("second", "6");
    await createPending(controlPlane, [{ ...pod, metadata: { ...metadata, name: "late" } }]);
    const decision = (await decisionsOn(karpenter, [{ name: "late", pools: ["second"], cpu: "6" }])).get("late");
    expect(decision).not.toHaveProperty("nodePool");
    expect((await controlPlane.request("system:admin", "GET", CLAIMS)).body.items).toHaveLength(POOLS.length);
  });

  test("launches no node for a pod that requires an excluded number", async () => {
    const between = [
      { key: "example.com/rack", operator: "Gt", values: ["6"] },
      { key: "example.com/rack", operator: "Lt", values: ["8"] },
    ];
    const required = { nodeSelectorTerms: [{ matchExpressions: between }] };
    const affinity = { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } };
    const { metadata, ...pod } = podFor("first", "3", affinity);
    await createPending(controlPlane, [{ ...pod, metadata: { ...metadata, name: "seven" } }]);
    const words = "the label example.com/rack of a NodeClaim has to keep to the AutoNodePolicy's";
    await karpenter.waitFor("the refusal", async () => (karpenter.log().includes(words) ? true : undefined));
    expect((await controlPlane.request("system:admin", "GET", CLAIMS)).body.items).toHaveLength(POOLS.length);
    await controlPlane.request("system:admin", "DELETE", "/api/v1/namespaces/default/pods/seven?gracePeriodSeconds=0");
  });

  test("replaces no node because of the mark, but because of a policy that its node violates", async () => {
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
    expect(requirementsOf(await liveOf("second")).slice(0, POLICY.length)).toEqual(POLICY);
    // Nodes of a terminating pool drift by its current list, and Karpenter removes its finalizer.
    const second = "/apis/karpenter.sh/v1/nodepools/second";
    expect((await controlPlane.request("guest-admin", "PATCH", second, {})).status).toBe(200);
    await until("the node of the pool that is being deleted drifts", async () => (await drifted()) > 1, 60_000);
    const released = await controlPlane.request("system:admin", "PATCH", second, { metadata: { finalizers: [] } });
    expect(released.status).toBe(200);
    await waitGone(controlPlane, poolOf("second", []));
  });

  async function liveOf(name: string): Promise<KubernetesObject> {
    return (await get(controlPlane, "system:admin", poolOf(name, []))).body;
  }
});

function poolFor(name: string, requirements: Entries = []): KubernetesObject {
  return forKwok({
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: { template: { spec: { requirements, taints: [{ key: name, effect: "NoSchedule" }] } } },
  });
}

function podFor(pool: string, cpu: string, affinity: object = {}): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: pool, namespace: "default" },
    spec: {
      containers: [{ name: "main", image: "example.com/none", resources: { requests: { cpu } } }],
      ...affinity,
      tolerations: [{ key: pool, operator: "Exists" }],
    },
  };
}

/**
 * Tests a real Karpenter with templates that set the end of a drain: nodes outlive every bound, but not under a guard.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { otherProvider } from "../../../src/karpenter/provider/other.ts";
import { TERMINATION_TIMESTAMP } from "../../../src/model/requirements/reserved-keys.ts";
import { RESERVED_MESSAGE } from "../../../src/render/reserved-key-rules.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, get, remove, waitGone } from "../../support/controlplane/objects.ts";
import { patch } from "../../support/guard/attacks/guarded-clusters.ts";
import { enforce, type Entries, outcomeOf } from "../../support/guard/guarded-cluster.ts";
import { createPending } from "../../support/karpenter/pods.ts";
import { createNodeClass, createReadyPools, forKwok, mustCreate } from "../../support/karpenter/pools.ts";
import { type Karpenter, startKarpenter } from "../../support/karpenter/start-karpenter.ts";

const POLICY: Entries = [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }];
const GRACE = "2s";
/** The end of the drain in each template. */
const ENDS = { plain: undefined, far: "9999-01-01T00:00:00Z", unreadable: "never" } as const;
type Pool = keyof typeof ENDS;
const POOLS = Object.keys(ENDS) as Pool[];

describe("nodes of a pool with terminationGracePeriod", () => {
  let controlPlane: ControlPlane;
  let karpenter: Karpenter;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    karpenter = await startKarpenter(controlPlane);
    await createNodeClass(controlPlane);
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

  const claims = async (): Promise<KubernetesObject[]> => {
    const { body } = await controlPlane.request("system:admin", "GET", "/apis/karpenter.sh/v1/nodeclaims");
    return body.items ?? [];
  };
  const isThere = async (claim: KubernetesObject): Promise<boolean> =>
    (await get(controlPlane, "system:admin", named(claim))).status === 200;

  /** One pool of each kind, with a pod that cannot be evicted, all at the same time. */
  async function launched(pools: readonly Pool[]): Promise<ReadonlyMap<Pool, KubernetesObject>> {
    const old = new Set((await claims()).map(({ metadata }) => metadata?.name));
    const pending = pools.map((pool) => podFor(pool, `waits-${pool}`));
    await createPending(controlPlane, pending);
    const found = await karpenter.waitFor("a registered node of each pool", async () => {
      const fresh = (await claims()).filter(({ metadata }) => !old.has(metadata?.name)).filter(nodeOf);
      const byPool = new Map(fresh.map((claim) => [claim.metadata?.labels?.["karpenter.sh/nodepool"] as Pool, claim]));
      return pools.every((pool) => byPool.has(pool)) ? byPool : undefined;
    });
    for (const pod of pending) await remove(controlPlane, "system:admin", pod);
    for (const pool of pools) {
      const node = nodeOf(found.get(pool)!)!;
      // Like a kubelet: Karpenter does not drain a node that is not ready.
      const ready = {
        status: { conditions: [{ type: "Ready", status: "True", reason: "KubeletReady", message: "" }] },
      };
      const { status, text } = await controlPlane.request(
        "system:admin",
        "PATCH",
        `/api/v1/nodes/${node}/status`,
        ready,
      );
      if (status !== 200) throw new Error(text);
      await mustCreate(controlPlane, podFor(pool, `holds-${pool}`, node));
    }
    return found;
  }

  /** Like a kubelet, without which Karpenter waits a minute for a deleted pod. */
  async function endPods(): Promise<void> {
    const { body } = await controlPlane.request("system:admin", "GET", "/api/v1/namespaces/default/pods");
    for (const { metadata } of body.items ?? []) {
      const path = `/api/v1/namespaces/default/pods/${metadata?.name}?gracePeriodSeconds=0`;
      if (metadata?.deletionTimestamp !== undefined) await controlPlane.request("system:admin", "DELETE", path);
    }
  }

  const annotationOf = (claim: KubernetesObject): string | undefined =>
    claim.metadata?.annotations?.[TERMINATION_TIMESTAMP];

  test("outlive it with an annotation of the template; under a guard no template and no new node has it", async () => {
    const before = await launched(POOLS);
    for (const [pool, claim] of before) {
      expect(annotationOf(claim)).toBe(ENDS[pool]);
      await remove(controlPlane, "guest-admin", named(claim));
    }
    await karpenter.waitFor("the plain node gone", async () => {
      await endPods();
      return (await isThere(before.get("plain")!)) ? undefined : true;
    });
    await karpenter.waitFor("an end that it cannot read", async () =>
      karpenter.log().includes("parsing annotation") ? true : undefined,
    );
    const outliving = [before.get("far")!, before.get("unreadable")!];
    expect(await Promise.all(outliving.map(isThere))).toEqual([true, true]);

    const bounds = { maxExpireAfter: "1h", maxTerminationGracePeriod: GRACE, minDriftedBudget: "1" };
    await enforce(controlPlane, POLICY, { provider: otherProvider("karpenter.kwok.sh"), bounds });
    for (const pool of ["far", "unreadable"] as const) {
      const { body } = await patch(controlPlane, "guest-admin", poolFor(pool), {});
      expect(JSON.stringify(body.spec)).not.toContain(TERMINATION_TIMESTAMP);
      const anew = { ...poolFor(pool), metadata: { name: `${pool}-anew` } };
      expect(outcomeOf(await create(controlPlane, "guest-admin", anew, { dryRun: true }))).toBe(RESERVED_MESSAGE);
    }
    // Older ones must be changed manually: Karpenter then writes the end of the NodeClaim's own field.
    for (const claim of outliving) {
      const mended = { metadata: { annotations: { [TERMINATION_TIMESTAMP]: null } } };
      expect(outcomeOf(await patch(controlPlane, "guest-admin", named(claim), mended))).toBe("stored");
    }
    for (const pool of ["far", "unreadable"] as const) {
      const held = podFor(pool, `holds-${pool}`);
      await remove(controlPlane, "system:admin", held);
      await endPods();
      await waitGone(controlPlane, held);
    }
    const after = await launched(["far", "unreadable"]);
    for (const claim of after.values()) {
      expect(annotationOf(claim)).toBeUndefined();
      await remove(controlPlane, "guest-admin", named(claim));
    }
    await karpenter.waitFor("all nodes gone", async () => {
      await endPods();
      return (await claims()).length === 0 ? true : undefined;
    });
  });
});

function poolFor(name: Pool): KubernetesObject {
  const end = ENDS[name];
  const pool = forKwok({
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      template: {
        ...(end === undefined ? {} : { metadata: { annotations: { [TERMINATION_TIMESTAMP]: end } } }),
        spec: { requirements: [], taints: [{ key: name, effect: "NoSchedule" }], terminationGracePeriod: GRACE },
      },
    },
  });
  return pool;
}

function named({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return {
    apiVersion: apiVersion ?? "karpenter.sh/v1",
    kind: kind ?? "NodeClaim",
    metadata: { name: metadata!.name! },
  };
}

function nodeOf({ status }: KubernetesObject): string | undefined {
  return (status as { nodeName?: string } | undefined)?.nodeName;
}

function podFor(pool: string, name: string, nodeName?: string): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default", annotations: { "karpenter.sh/do-not-disrupt": "true" } },
    spec: {
      ...(nodeName === undefined ? {} : { nodeName }),
      containers: [{ name: "main", image: "example.com/none", resources: { requests: { cpu: "1" } } }],
      tolerations: [{ key: pool, operator: "Exists" }],
      // There is no kubelet to end it.
      terminationGracePeriodSeconds: 0,
    },
  };
}

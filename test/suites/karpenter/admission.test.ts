/** Tests a real Karpenter under the rendered admission policies, as an allowed user and as another one. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, until } from "../../support/controlplane/objects.ts";
import { replacePolicies } from "../../support/e2e/admission-policies.ts";
import { all, CLAIM_DENIED, judgeClaims, OWNED } from "../../support/e2e/node-claims.ts";
import { decisionsOn } from "../../support/karpenter/decisions.ts";
import { createPending } from "../../support/karpenter/pods.ts";
import { createNodeClass, createReadyPools, forKwok } from "../../support/karpenter/pools.ts";
import { type Karpenter, startKarpenter } from "../../support/karpenter/start-karpenter.ts";
import { KARPENTER_PROFILE } from "../../support/go/programs.ts";

const POOLS = ["first", "second", "third"] as const;

describe("Karpenter under anp's admission policies", () => {
  let controlPlane: ControlPlane;
  let karpenter: Karpenter;
  let policies: KubernetesObject[] = [];

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    const started = await startKarpenter(controlPlane);
    karpenter = started;
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

  async function enforce(spec: object | undefined, pools: object): Promise<void> {
    policies = await replacePolicies(controlPlane, policies, spec);
    const others = { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "another" } };
    await until("the policies act", async () => {
      const forged = await judgeClaims(controlPlane, "system:admin", OWNED);
      const answer = await create(controlPlane, "guest-admin", { ...poolFor("another"), ...others }, { dryRun: true });
      const verdicts = { pool: answer.status, ...forged };
      return Object.entries(pools).every(([what, outcome]) => verdicts[what as keyof typeof verdicts] === outcome);
    });
  }

  test("as the default user it launches nodes, and no other user can with its labels and owners", async () => {
    await enforce(undefined, { pool: 422, ...all(OWNED, "allowed") });
    expect(await judgeClaims(controlPlane, "guest-admin", OWNED)).toEqual(all(OWNED, CLAIM_DENIED));
    expect(await launchedBy("first")).toBe("first");
    const path = "/apis/karpenter.sh/v1/nodeclaims";
    const launched = async () => (await controlPlane.request("system:admin", "GET", path)).body.items?.[0];
    await until("Karpenter has written which instance it is", async () => {
      const { providerID } = ((await launched())?.status ?? {}) as { providerID?: string };
      return providerID?.startsWith("kwok:") === true;
    });
    const claim = await launched();
    const status = { providerID: "kwok://evil" };
    const { body } = await controlPlane.request("guest-admin", "PATCH", `${path}/${claim!.metadata!.name}/status`, {
      status,
    });
    expect(body.message).toContain("Karpenter's alone to write");
  });

  test("as a user that is not in the RenderConfig it launches none", async () => {
    await enforce({ admission: { karpenterUsers: ["plain-user"] } }, { pool: 422, ...all(OWNED, CLAIM_DENIED) });
    await createPending(controlPlane, [podFor("second", "2")]);
    await karpenter.waitFor("the refusal", async () => (karpenter.log().includes(CLAIM_DENIED) ? true : undefined));
    const { body } = await controlPlane.request("system:admin", "GET", "/apis/karpenter.sh/v1/nodeclaims");
    expect((body.items ?? []).map(({ metadata }) => metadata?.labels?.["karpenter.sh/nodepool"])).toEqual(["first"]);
  });

  test("in a profile without a known user it launches nodes as any user", async () => {
    await enforce({ profile: KARPENTER_PROFILE }, { pool: 422, ...all(OWNED, "allowed") });
    expect(await launchedBy("third")).toBe("third");
  });

  /** The pool of the node that a new pod gets. */
  async function launchedBy(pool: string): Promise<string | undefined> {
    const cpu = String(POOLS.findIndex((name) => name === pool) + 1);
    await createPending(controlPlane, [podFor(pool, cpu)]);
    const decision = (await decisionsOn(karpenter, [{ name: pool, pools: [pool], cpu }])).get(pool);
    return decision !== undefined && "nodePool" in decision ? decision.nodePool : undefined;
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

/** Tests static pools of a real Karpenter under a guard: none of their NodeClaims requires an excluded number. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { otherProvider } from "../../../src/karpenter/provider/other.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create } from "../../support/controlplane/objects.ts";
import { enforce, type Entries, outcomeOf, poolOf } from "../../support/guard/guarded-cluster.ts";
import { createNodeClass } from "../../support/karpenter/pools.ts";
import { type Karpenter, startKarpenter } from "../../support/karpenter/start-karpenter.ts";

const GROUP = "karpenter.kwok.sh";
const CPU = `${GROUP}/instance-cpu`;
const POLICY: Entries = [{ key: CPU, operator: "NotIn", values: ["16"] }];
const AROUND: Entries = [
  { key: CPU, operator: "Gte", values: ["16"] },
  { key: CPU, operator: "Lte", values: ["16"] },
];
const typed = (cpus: number): Entries[number] => ({
  key: "node.kubernetes.io/instance-type",
  operator: "In",
  values: [`c-${cpus}x-amd64-linux`],
});

describe("a static pool", () => {
  let controlPlane: ControlPlane;
  let karpenter: Karpenter;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    karpenter = await startKarpenter(controlPlane, undefined, { FEATURE_GATES: "StaticCapacity=true" });
    await createNodeClass(controlPlane);
  });

  afterEach(({ task }) => {
    // oxlint-disable-next-line no-console
    if (task.result?.state === "fail") console.error(karpenter?.log().slice(-10_000));
  });

  afterAll(async () => {
    await karpenter?.stop();
    await controlPlane?.stop();
  });

  test("loses excluded values within bounds, without a guard", async () => {
    expect(await made("before", [...POLICY, ...AROUND, typed(16)], 1)).toBe("stored");
    const [claim] = await claimsOf("before", 1);
    expect(entriesOn(claim!, CPU)).toEqual(expect.arrayContaining([...AROUND]));
    expect(entriesOn(claim!, CPU)).toHaveLength(2);
    expect((claim!.spec as { resources?: object }).resources ?? {}).toEqual({});
  });

  test("is refused under a guard, and an existing one gets no more nodes", async () => {
    await enforce(controlPlane, POLICY, { provider: otherProvider(GROUP) });
    expect(await made("after", [...AROUND, typed(16)], 1)).toMatch(/would admit nodes that the policy does not/);
    const patch = { spec: { replicas: 2 } };
    await controlPlane.request("guest-admin", "PATCH", "/apis/karpenter.sh/v1/nodepools/before", patch);
    await karpenter.waitFor("a NodeClaim is refused", async () =>
      karpenter.log().includes("a NodeClaim has to keep to the AutoNodePolicy") ? true : undefined,
    );
    expect(await claimsOf("before", 1)).toHaveLength(1);
  });

  test("gets its nodes if it is within the policy, as its NodeClaims show", async () => {
    expect(await made("words", [typed(4)], 1)).toBe("stored");
    expect(entriesOn((await claimsOf("words", 1))[0]!, CPU)).toEqual(POLICY);
    expect(await made("below", [{ key: CPU, operator: "Lte", values: ["8"] }, typed(4)], 1)).toBe("stored");
    expect(entriesOn((await claimsOf("below", 1))[0]!, CPU)).toEqual([{ key: CPU, operator: "Lte", values: ["8"] }]);
  });

  async function made(name: string, requirements: Entries, replicas: number): Promise<string> {
    const pool = poolOf(name, requirements, {}, GROUP);
    return outcomeOf(await create(controlPlane, "guest-admin", { ...pool, spec: { ...pool.spec, replicas } }));
  }

  function claimsOf(pool: string, atLeast: number): Promise<readonly KubernetesObject[]> {
    return karpenter.waitFor(`NodeClaims of ${pool}`, async () => {
      const { body } = await controlPlane.request("system:admin", "GET", "/apis/karpenter.sh/v1/nodeclaims");
      const own = (body.items ?? []).filter(({ metadata }) => metadata?.labels?.["karpenter.sh/nodepool"] === pool);
      return own.length >= atLeast ? own : undefined;
    });
  }
});

function entriesOn({ spec }: KubernetesObject, key: string): Entries {
  return (spec as { requirements: Entries }).requirements.filter((entry) => entry.key === key);
}

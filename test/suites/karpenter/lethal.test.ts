/**
 * Tests values that the API server and Karpenter accept, but that crash the Karpenter that launches a node for them.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { remove } from "../../support/controlplane/objects.ts";
import { createPending } from "../../support/karpenter/pods.ts";
import { createNodeClass, createReadyPools, forKwok } from "../../support/karpenter/pools.ts";
import { type Karpenter, startKarpenter } from "../../support/karpenter/start-karpenter.ts";

const LABEL = "example.com/tier";
const LARGEST = "9223372036854775807";
const BELOW_ZERO = { operator: "Lt", values: ["0"] };

interface Wish {
  readonly operator: string;
  readonly values?: readonly string[];
}

describe("a bound on a custom label for which Karpenter cannot invent a value", () => {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  test("crashes Karpenter repeatedly, regardless of other pending pods", async () => {
    const first = await start(controlPlane);
    await createNodeClass(controlPlane);
    await createReadyPools(first, [poolWith("below-zero", BELOW_ZERO)]);
    await createPending(controlPlane, [podFor("below-zero")]);
    await expectPanic(first);
    // It restarts as in a cluster, and the pod remains pending.
    await expectPanic(await start(controlPlane));
    await remove(controlPlane, "system:admin", podFor("below-zero"));
  });

  test.each([
    ["at most the largest number", "largest", { operator: "Lte", values: [LARGEST] }, undefined],
    ["at least the largest number", "least", { operator: "Gte", values: [LARGEST] }, undefined],
    ["in the affinity of a pod, where the pool leaves the label open", "open", { operator: "Exists" }, BELOW_ZERO],
  ])("%s", async (_, name, wish, ofPod) => {
    const karpenter = await start(controlPlane);
    await createReadyPools(karpenter, [poolWith(name, wish)]);
    await createPending(controlPlane, [podFor(name, ofPod)]);
    await expectPanic(karpenter);
    await remove(controlPlane, "system:admin", podFor(name));
  });
});

async function start(controlPlane: ControlPlane): Promise<Karpenter> {
  const started = await startKarpenter(controlPlane);
  return started;
}

async function expectPanic(karpenter: Karpenter): Promise<void> {
  try {
    await expect(karpenter.waitFor("its end", async () => undefined)).rejects.toThrow("karpenter ended: exit code 2");
    expect(karpenter.log()).toContain("panic: invalid argument to Intn");
  } finally {
    await karpenter.stop();
  }
}

function poolWith(name: string, wish: Wish): KubernetesObject {
  const requirements = [{ key: LABEL, ...wish }];
  const taints = [{ key: name, effect: "NoSchedule" }];
  return forKwok({
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: { template: { spec: { requirements, taints } } },
  });
}

function podFor(pool: string, wish?: Wish): KubernetesObject {
  const nodeSelectorTerms = [{ matchExpressions: [{ key: LABEL, ...wish }] }];
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: pool, namespace: "default" },
    spec: {
      containers: [{ name: "main", image: "example.com/none" }],
      tolerations: [{ key: pool, operator: "Exists" }],
      ...(wish === undefined ? {} : { affinity: { nodeAffinity } }),
    },
  };
}

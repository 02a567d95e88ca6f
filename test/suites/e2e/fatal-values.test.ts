/** The API server accepts values that crash Karpenter with Karpenter's own CRDs, so only anp refuses them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fatalValuesOf } from "../../../src/karpenter/node-class/fatal-values.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import { create, waitEstablished } from "../../support/controlplane/objects.ts";
import { hostileObjects } from "../../support/oracle/hostile-values.ts";
import { ok } from "../../support/e2e/faults/table.ts";
import { askServer } from "../../support/e2e/server-verdict.ts";

const fatal = hostileObjects().filter(({ object }) => fatalValuesOf(object, "karpenter-1.14").length > 0);

describe("values that end Karpenter", () => {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    for (const crd of await karpenterCrds("karpenter-1.14")) await create(controlPlane, "system:admin", crd);
    await waitEstablished(controlPlane, KARPENTER_CRD_NAMES);
  }, 1_200_000);

  afterAll(async () => {
    await controlPlane?.stop();
  });

  test("are accepted in every field that anp checks", async () => {
    const taken = new Set<string>();
    for (const { object, path } of fatal) {
      const { verdict } = await askServer(controlPlane, { ...object });
      if (verdict === ok) taken.add(`${object.kind} ${path.slice(1).join(" ")}`);
    }
    expect([...taken].toSorted()).toStrictEqual([
      "EC2NodeClass kubelet evictionHard memory.available",
      "EC2NodeClass kubelet evictionHard nodefs.available",
      "EC2NodeClass kubelet evictionSoftGracePeriod memory.available",
      "EC2NodeClass kubelet kubeReserved memory",
      "EC2NodeClass kubelet systemReserved cpu",
      "EC2NodeClass kubelet systemReserved pid",
      "NodePool disruption budgets 0 duration",
      "NodePool disruption consolidateAfter",
      "NodePool limits cpu",
      "NodePool limits memory",
      "NodePool limits nodes",
      "NodePool template spec expireAfter",
      "NodePool template spec startupTaints 0 timeAdded",
      "NodePool template spec taints 0 timeAdded",
      "NodePool template spec terminationGracePeriod",
    ]);
  }, 600_000);
});

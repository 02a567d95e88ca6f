/** A hosted cluster that is being deleted or paused is not changed. Runs on real API servers. */
import { expect, test } from "vitest";
import { isPaused } from "../../../src/cluster/read/read-management.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { get, remove } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { ARCH, CAPI_CLUSTER, CONTROL_PLANE, isIn, NAMESPACE, policy, pool } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import {
  ADMIN,
  ec2NodeClass,
  nodePool,
  OPERATOR,
  pass,
  put,
  readyOf,
  requirementsOf,
  watched,
} from "../../support/watch/rig.ts";

const FINALIZER = "hypershift.openshift.io/karpenter-finalizer";
const GUARD = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "karpenter-binding.nodepool.hypershift.io" },
};

describeOnClusters("a hosted cluster", (rig) => {
  const isThere = async (object: KubernetesObject) => (await get(rig.guest, ADMIN, object)).status === 200;

  async function setFinalizers(object: KubernetesObject, finalizers: readonly string[]): Promise<void> {
    const path = await objectPath(rig.management, object);
    const { status, text } = await rig.management.request(ADMIN, "PATCH", path, { metadata: { finalizers } });
    if (status !== 200) throw new Error(text);
  }

  async function removeHere(object: KubernetesObject): Promise<void> {
    expect((await remove(rig.management, ADMIN, object)).status).toBe(200);
  }

  test("that is deleted as HyperShift's operator does it is not blocked by the watch", async () => {
    await put(rig.management, CAPI_CLUSTER);
    expect(await pass(watched(rig))).toMatchObject({ result: "ok", ready: { reason: "Applied" } });
    for (const object of [CAPI_CLUSTER, CONTROL_PLANE]) await setFinalizers(object, [FINALIZER]);

    // The Cluster first: the operator then deletes NodePools and waits until none is listed.
    await removeHere(CAPI_CLUSTER);
    await remove(rig.guest, OPERATOR, nodePool("web"));
    for (let passes = 0; passes < 3; passes++) {
      const result = await pass(watched(rig, { installCrds: true }));
      expect(result).toMatchObject({
        result: "held",
        mode: "Hold",
        ready: {
          reason: "HostedClusterGoing",
          message: `the hosted cluster ${NAMESPACE} is being deleted, because its Cluster c1-x7k2p is; applied objects stay as they are`,
        },
        counts: { created: 0, updated: 0, pruned: 0, failed: 0 },
      });
      expect(result.outcomes.filter(({ step }) => step === undefined)).toEqual([]);
      expect(await isThere(nodePool("web"))).toBe(false);
    }
    expect(await readyOf(rig)).toMatchObject({ status: "True", reason: "Applied" });

    // Then the HostedControlPlane, with the objects of its namespace in any order.
    await setFinalizers(CAPI_CLUSTER, []);
    await removeHere(CONTROL_PLANE);
    await removeHere(policy([]));
    expect(await pass(watched(rig))).toMatchObject({
      ready: { message: expect.stringContaining("its HostedControlPlane c1 is;") as unknown },
    });
    expect([await isThere(nodePool("web")), await isThere(ec2NodeClass("default"))]).toEqual([false, true]);
    await setFinalizers(CONTROL_PLANE, []);
    expect((await pass(watched(rig))).ready.reason).toBe("HostedClusterUnknown");
    expect(await isThere(nodePool("web"))).toBe(false);
  });

  test("that is being deleted keeps its guards", async () => {
    await put(rig.management, CAPI_CLUSTER);
    await pass(watched(rig));
    await setFinalizers(CAPI_CLUSTER, [FINALIZER]);
    await removeHere(CAPI_CLUSTER);
    await remove(rig.guest, ADMIN, GUARD);
    await pass(watched(rig));
    expect(await isThere(GUARD)).toBe(true);
    await setFinalizers(CAPI_CLUSTER, []);
  });

  test("that is paused is not changed until the pause ends", async () => {
    await pass(watched(rig));
    const paused = (pausedUntil: string) =>
      put(rig.management, { ...CONTROL_PLANE, spec: { ...CONTROL_PLANE.spec, pausedUntil } });
    await paused("2126-01-01T00:00:00Z");
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    await put(rig.guest, pool("new"));
    await remove(rig.guest, ADMIN, GUARD);
    const before = [await requirementsOf(rig, "web"), await readyOf(rig)];
    const result = await pass(watched(rig, { installCrds: true }));
    expect(result).toMatchObject({
      result: "held",
      ready: {
        reason: "HostedClusterPaused",
        message: `the hosted cluster ${NAMESPACE} is paused (spec.pausedUntil: 2126-01-01T00:00:00Z); applied objects stay as they are`,
      },
      counts: { created: 0, updated: 0, pruned: 0, failed: 0 },
    });
    expect([await requirementsOf(rig, "web"), await readyOf(rig)]).toEqual(before);
    expect([await isThere(nodePool("new")), await isThere(GUARD)]).toEqual([false, false]);
    await paused("2026-01-01T00:00:00Z");
    await pass(watched(rig));
    expect(await requirementsOf(rig, "web")).toEqual([isIn(ARCH, "arm64")]);
    expect([await isThere(nodePool("new")), await isThere(GUARD)]).toEqual([true, true]);
  });
});

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ["true", true],
  ["T", true],
  ["1", true],
  ["false", false],
  ["yes", false],
  ["2026-06-01T12:00:01Z", true],
  ["2026-06-01T14:00:01+02:00", true],
  ["2026-06-01T12:00:00Z", false],
  ["2026-06-01", false],
])("pausedUntil %s pauses: %s", (pausedUntil, paused) => {
  expect(isPaused(pausedUntil, new Date("2026-06-01T12:00:00Z"))).toBe(paused);
});

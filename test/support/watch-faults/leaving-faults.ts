/** Deletes objects in random order, up to the hosted cluster itself. */
import { expect } from "vitest";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { get, remove } from "../controlplane/objects.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { CONTROL_PLANE, NAMESPACE, nodeClass, policy, pool, userData } from "../watch/inputs.ts";
import { ADMIN, ec2NodeClass, live, nodePool, OPERATOR, put } from "../watch/rig.ts";
import { kwokPool } from "../watch-process/kwok-pools.ts";
import type { WatchProcess } from "../watch-process/start-watch.ts";
import type { FaultCases } from "./fault.ts";
import { type HostedCluster, POLICY } from "./hosted-cluster.ts";
import { allowManagement } from "./management-rights.ts";

const FINALIZER = "hypershift.openshift.io/finalizer";
const NAMESPACE_OBJECT = { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } };

export const leavingFaults: FaultCases = {
  "hosted cluster torn down": {
    done: "its HostedControlPlane is being deleted; policy and Secret go first",
    act: async (cluster) => {
      const watch = await cluster.start();
      const said = await whileHeld(cluster, watch, async () => {
        await setFinalizers(cluster, CONTROL_PLANE, [FINALIZER]);
        await removeHere(cluster, CONTROL_PLANE);
        await removeHere(cluster, policy([]));
        await removeHere(cluster, userData("default"));
        await watch.morePasses(1);
        await setFinalizers(cluster, CONTROL_PLANE, []);
      });
      await restore(cluster, watch);
      return said;
    },
  },
  "namespace of the hosted cluster deleted": {
    done: "its objects go one after another, the policy first; then the namespace",
    act: async (cluster) => {
      const { management } = cluster.rig;
      const watch = await cluster.start();
      const said = await whileHeld(cluster, watch, async () => {
        await removeHere(cluster, NAMESPACE_OBJECT);
        // As the namespace controller does it, in an order of its own.
        await removeHere(cluster, policy([]));
        await watch.morePasses(1);
        await removeHere(cluster, userData("default"));
        await removeHere(cluster, CONTROL_PLANE);
        const path = `${await objectPath(management, NAMESPACE_OBJECT)}/finalize`;
        const { status, text } = await management.request(ADMIN, "PUT", path, { ...NAMESPACE_OBJECT, spec: {} });
        if (status !== 200) throw new Error(text);
      });
      await put(management, NAMESPACE_OBJECT);
      await allowManagement(management);
      await restore(cluster, watch);
      return said;
    },
  },
  "class deleted before its pool": {
    done: "an OpenshiftEC2NodeClass and its Secret deleted, then the pool that names it",
    act: async (cluster) => {
      await classBeforePool(cluster, await cluster.start());
      return "the class stays as long as its pool does, then both go";
    },
  },
  "wrapper deleted and made again": {
    done: "an OpenshiftNodePool, within a moment",
    act: async (cluster) => {
      await deletedAndMadeAgain(cluster, await cluster.start());
      return "the same pool";
    },
  },
  "wrapper waiting for its finalizer": {
    done: "an OpenshiftNodePool is being deleted; its pool is deleted by another operator, then the finalizer goes",
    act: async (cluster) => {
      await waitingForFinalizer(cluster, await cluster.start());
      return "the pool stays until then, and none is made anew";
    },
  },
};

async function classBeforePool(cluster: HostedCluster, watch: WatchProcess): Promise<void> {
  const { rig, add, drop } = cluster;
  const nodeClassRef = { group: "karpenter.hypershift.openshift.io", kind: "OpenshiftEC2NodeClass", name: "extra" };
  const aws = pool("aws", [], { template: { spec: { nodeClassRef, requirements: [] } } });
  await put(rig.management, userData("extra"));
  await add(nodeClass("extra"), aws);
  await watch.until("class and pool", async () => !(await isGone(cluster, ec2NodeClass("extra"))));
  const { uid } = (await live(rig.guest, ec2NodeClass("extra"))).metadata!;
  await removeHere(cluster, userData("extra"));
  await drop(nodeClass("extra"));
  await watch.morePasses(2);
  expect((await live(rig.guest, ec2NodeClass("extra"))).metadata?.uid).toBe(uid);
  await drop(aws);
  await watch.until("the class goes with its last pool", async () => isGone(cluster, ec2NodeClass("extra")));
  expect(await isGone(cluster, nodePool("aws"))).toBe(true);
}

async function deletedAndMadeAgain(cluster: HostedCluster, watch: WatchProcess): Promise<void> {
  const { rig, add, drop, settled } = cluster;
  await add(kwokPool("quick"));
  await settled(watch);
  const { uid } = (await live(rig.guest, nodePool("quick"))).metadata!;
  await drop(kwokPool("quick"));
  await add(kwokPool("quick"));
  await watch.morePasses(2);
  expect((await live(rig.guest, nodePool("quick"))).metadata?.uid).toBe(uid);
  await drop(kwokPool("quick"));
  await settled(watch);
}

/** As HyperShift's operator has it: it deletes the pool, and lets the wrapper go when that is done. */
async function waitingForFinalizer(cluster: HostedCluster, watch: WatchProcess): Promise<void> {
  const { rig, add, drop, settled } = cluster;
  const wrapper = kwokPool("waiting");
  await add({ ...wrapper, metadata: { name: "waiting", finalizers: [FINALIZER] } });
  await settled(watch);
  const { uid } = (await live(rig.guest, nodePool("waiting"))).metadata!;
  await drop(wrapper);
  await watch.morePasses(2);
  expect((await live(rig.guest, nodePool("waiting"))).metadata?.uid).toBe(uid);
  await remove(rig.guest, OPERATOR, nodePool("waiting"));
  await watch.morePasses(2);
  expect(await isGone(cluster, nodePool("waiting"))).toBe(true);
  const path = await objectPath(rig.guest, wrapper);
  await rig.guest.request(ADMIN, "PATCH", path, { metadata: { finalizers: [] } });
  await settled(watch);
}

/** And a pass more. @returns what became of it, in words */
async function whileHeld(cluster: HostedCluster, watch: WatchProcess, act: () => Promise<void>): Promise<string> {
  const before = await cluster.state();
  const since = cluster.requests();
  await act();
  await watch.morePasses(1);
  expect(cluster.writes(since)).toEqual([]);
  expect(await cluster.state()).toEqual(before);
  expect(watch.passes().at(-1)).toMatchObject({ policy: "Hold" });
  return `nothing written, ${String(watch.passes().at(-1)?.["reason"])}`;
}

async function restore(cluster: HostedCluster, watch: WatchProcess): Promise<void> {
  // Without its hosted control plane the policy is not missed.
  await cluster.setPolicy(POLICY);
  await put(cluster.rig.management, userData("default"));
  await put(cluster.rig.management, CONTROL_PLANE);
  await watch.until("all is well again", async () => watch.passes().at(-1)?.["result"] === "ok", 60_000);
}

async function removeHere({ rig }: HostedCluster, object: KubernetesObject): Promise<void> {
  const { status, text } = await remove(rig.management, ADMIN, object);
  if (status >= 300) throw new Error(text);
}

async function setFinalizers({ rig }: HostedCluster, object: KubernetesObject, finalizers: string[]): Promise<void> {
  const path = await objectPath(rig.management, object);
  const { status, text } = await rig.management.request(ADMIN, "PATCH", path, { metadata: { finalizers } });
  if (status !== 200) throw new Error(text);
}

async function isGone({ rig }: HostedCluster, object: KubernetesObject): Promise<boolean> {
  return (await get(rig.guest, ADMIN, object)).status === 404;
}

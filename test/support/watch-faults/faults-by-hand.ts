/** What people and other programs do to objects of a guest cluster behind anp's back. */
import { expect } from "vitest";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create, remove } from "../controlplane/objects.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { DENIED, denialIn } from "../e2e/guarded.ts";
import { isIn, TYPE } from "../watch/inputs.ts";
import { ADMIN, ec2NodeClass, live, nodePool, OPERATOR } from "../watch/rig.ts";
import { KWOK_SERVED_CLASS, kwokPool } from "../watch-process/kwok-pools.ts";
import type { FaultCases } from "./fault.ts";
import type { HostedCluster } from "./hosted-cluster.ts";

export const faultsByHand: FaultCases = {
  "hand-made changes": {
    done: "a pool without its requirements and marks, a class with another root volume, a pool deleted",
    act: async (cluster) => {
      const { rig, add, drop, settled, state } = cluster;
      const watch = await cluster.start();
      await add(kwokPool("extra"));
      await settled(watch);
      const before = await state();
      const said = watch.lines().length;
      const marks = { labels: { "app.kubernetes.io/managed-by": null, "anp.hypershift.openshift.io/set": null } };
      const template = { spec: { requirements: [] } };
      await edit(cluster, nodePool("web"), { metadata: marks, spec: { template, weight: 50 } });
      const device = { deviceName: "/dev/xvda", ebs: { volumeSize: "9Gi" } };
      await edit(cluster, ec2NodeClass("default"), { spec: { blockDeviceMappings: [device] } });
      await remove(rig.guest, OPERATOR, nodePool("extra"));
      await settled(watch);
      const isAgain = async () =>
        JSON.stringify({ ...(await state()), "NodePool/extra": 0 }) ===
        JSON.stringify({ ...before, "NodePool/extra": 0 });
      await watch.until("all is as it was", isAgain);
      const drift = () =>
        watch
          .lines()
          .slice(said)
          .filter(({ msg }) => msg === "foreign change overwritten")
          .map(({ object, field, owner }) => `${String(object)} ${String(field)} ${String(owner)}`)
          .toSorted();
      // Told once it is done.
      await expect
        .poll(drift)
        .toEqual([
          "EC2NodeClass default spec.blockDeviceMappings hand",
          'NodePool web metadata.labels["anp.hypershift.openshift.io/set"] unknown',
          'NodePool web metadata.labels["app.kubernetes.io/managed-by"] unknown',
          "NodePool web spec.template.spec.requirements hand",
          "NodePool web spec.weight hand",
        ]);
      await drop(kwokPool("extra"));
      await settled(watch);
      return "set right, and told with field and owner; the pool is there again";
    },
  },
  "foreign objects": {
    done: "a pool of a wrapper's name stands there already, and one that copies our marks",
    act: async (cluster) => {
      const { rig, add, drop, settled } = cluster;
      const watch = await cluster.start();
      const web = await live(rig.guest, nodePool("web"));
      const spec = { ...web.spec, weight: 3 };
      const theirs = { ...nodePool("theirs"), spec };
      const { labels = {}, annotations = {} } = web.metadata!;
      const copy = { ...nodePool("copy"), metadata: { name: "copy", labels, annotations }, spec };
      const before = [await mustCreate(cluster, theirs), await mustCreate(cluster, copy)];
      await add(kwokPool("theirs", [isIn(TYPE, "c-4x-amd64-linux")]));
      await watch.until("it is told", async () => watch.lines().some(({ msg }) => msg === "foreign object"));
      await watch.morePasses(2);
      expect(watch.passes().at(-1)).toMatchObject({ result: "held", foreign: 1, pruned: 0 });
      for (const { metadata } of before) {
        const { uid, generation } = (await live(rig.guest, nodePool(metadata!.name!))).metadata!;
        expect([uid, generation]).toEqual([metadata!.uid, metadata!.generation]);
      }
      await drop(kwokPool("theirs"));
      for (const object of before) await remove(rig.guest, OPERATOR, object);
      await settled(watch);
      return "neither changed nor deleted, before or after its wrapper went; Ready=False names it";
    },
  },
  "guards deleted": {
    done: "all ValidatingAdmissionPolicies and bindings of anp deleted by hand",
    act: async (cluster) => {
      const { rig, requests, writes } = cluster;
      const watch = await cluster.start(["--interval", "10m"]);
      const since = requests();
      const guards = await guardsOf(cluster);
      expect(guards).toHaveLength(8);
      const deleted = Date.now();
      for (const guard of guards) await remove(rig.guest, ADMIN, guard);
      await watch.until("all are there again", async () => (await guardsOf(cluster)).length === guards.length);
      console.log(`guards there again ${Date.now() - deleted} ms after the first was deleted`);
      expect((await guardsOf(cluster)).map(({ spec }) => spec)).toEqual(guards.map(({ spec }) => spec));
      let answer = "";
      await watch.until("they are in force", async () => {
        const { status, body } = await create(rig.guest, ADMIN, POOL, { dryRun: true });
        answer = denialIn(body);
        return status === 422;
      });
      expect(answer).toBe(DENIED.NodePool);
      expect(writes(since)).toEqual([]);
      return "restored as they were; no pool or class written";
    },
  },
};

const nodeClassRef = KWOK_SERVED_CLASS;
const POOL = { ...nodePool("sneaky"), spec: { template: { spec: { nodeClassRef, requirements: [] } } } };

async function mustCreate({ rig }: HostedCluster, object: KubernetesObject): Promise<KubernetesObject> {
  const { status, body, text } = await create(rig.guest, OPERATOR, object);
  if (status !== 201) throw new Error(text);
  return body;
}

async function edit({ rig }: HostedCluster, object: KubernetesObject, change: object): Promise<void> {
  const path = `${await objectPath(rig.guest, object)}?fieldManager=hand`;
  const { status, text } = await rig.guest.request(OPERATOR, "PATCH", path, change);
  if (status !== 200) throw new Error(text);
}

async function guardsOf({ rig }: HostedCluster): Promise<KubernetesObject[]> {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const kinds = ["ValidatingAdmissionPolicyBinding", "ValidatingAdmissionPolicy"];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const plural =
        kind === "ValidatingAdmissionPolicy" ? "validatingadmissionpolicies" : "validatingadmissionpolicybindings";
      const { body } = await rig.guest.request(ADMIN, "GET", `/apis/${apiVersion}/${plural}`);
      return (body.items ?? []).map((item) => ({ ...item, apiVersion, kind }));
    }),
  );
  return lists.flat();
}

/** What becomes of ownership when metadata are rewritten, objects restored, and the inventory is taken away. */
import { expect } from "vitest";
import { canonical } from "../../../src/krm/values/canonical.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create, remove, waitGone } from "../controlplane/objects.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { isIn, NAMESPACE, TYPE } from "../watch/inputs.ts";
import { clearInventories, live, nodePool, OPERATOR } from "../watch/rig.ts";
import { marksOf, WIPED } from "../watch/third-user.ts";
import { kwokPool } from "../watch-process/kwok-pools.ts";
import type { FaultCases } from "./fault.ts";
import { type HostedCluster, POLICY, TIGHTER } from "./hosted-cluster.ts";
import { allowManagement } from "./management-rights.ts";
import { throughFault } from "./through-fault.ts";

const GUARD: KubernetesObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "karpenter-binding.nodepool.hypershift.io" },
};

export const inventoryFaults: FaultCases = {
  "managedFields wiped": {
    done: "those of a pool, with its marks taken away; then the policy is tightened",
    act: async (cluster) => {
      const watch = await cluster.start();
      await rewrite(cluster, nodePool("web"), [{ op: "remove", path: "/metadata/labels" }, ...WIPED]);
      await cluster.setPolicy(TIGHTER);
      await cluster.settled(watch);
      await cluster.setPolicy(POLICY);
      await cluster.settled(watch);
      return "tightened all the same";
    },
  },
  "marks forged": {
    done: "all marks and managedFields of ours on a provider's pool; then a wrapper of its name comes and goes",
    act: async (cluster) => {
      const { rig, add, drop, settled } = cluster;
      const watch = await cluster.start();
      const { spec } = await live(rig.guest, nodePool("web"));
      const { status, body } = await create(rig.guest, OPERATOR, {
        ...nodePool("theirs"),
        spec: { ...spec, weight: 3 },
      });
      expect(status).toBe(201);
      await rewrite(cluster, nodePool("theirs"), await marksOf(rig.guest, nodePool("web")));
      await watch.until("it is listed", async () => watch.lines().some(({ msg }) => msg === "not in the inventory"));
      await add(kwokPool("theirs", [isIn(TYPE, "c-4x-amd64-linux")]));
      await watch.until("it is told", async () => watch.lines().some(({ msg }) => msg === "foreign object"));
      await drop(kwokPool("theirs"));
      await watch.morePasses(2);
      const { uid, generation } = (await live(rig.guest, nodePool("theirs"))).metadata!;
      expect([uid, generation]).toEqual([body.metadata?.uid, 1]);
      await remove(rig.guest, OPERATOR, nodePool("theirs"));
      await settled(watch);
      return "listed; neither changed nor deleted";
    },
  },
  "guard disowned and set to Audit": {
    done: "a binding without marks and managedFields, whose action is Audit",
    act: async (cluster) => {
      const { rig } = cluster;
      const watch = await cluster.start();
      const before = canonical((await live(rig.guest, GUARD)).spec);
      const audit = { op: "replace", path: "/spec/validationActions", value: ["Audit"] };
      await rewrite(cluster, GUARD, [audit, { op: "remove", path: "/metadata/labels" }, ...WIPED]);
      const isBack = async () => canonical((await live(rig.guest, GUARD)).spec) === before;
      await watch.until("it denies again", isBack);
      return "taken back";
    },
  },
  "restored from a backup": {
    done: "a pool is deleted and made again by another program, without managedFields of ours",
    act: async (cluster) => {
      const { rig, add, drop, settled } = cluster;
      const first = await cluster.start();
      await add(kwokPool("extra"));
      await settled(first);
      expect(await first.stop()).toBe(0);
      const { metadata, spec } = await live(rig.guest, nodePool("extra"));
      await remove(rig.guest, OPERATOR, nodePool("extra"));
      await waitGone(rig.guest, nodePool("extra"));
      const { labels = {}, annotations = {} } = metadata!;
      const again = { ...nodePool("extra"), metadata: { name: "extra", labels, annotations }, spec: spec! };
      expect((await create(rig.guest, OPERATOR, again, { fieldManager: "velero" })).status).toBe(201);
      await cluster.setPolicy(TIGHTER);
      const watch = await cluster.start();
      await settled(watch);
      await cluster.setPolicy(POLICY);
      await drop(kwokPool("extra"));
      await settled(watch);
      return "ours as before: tightened, and deleted with its wrapper";
    },
  },
  "inventory unreadable": {
    done: "RBAC of the management cluster no longer lets the inventory be read, then does again",
    act: (cluster) => {
      const { management } = cluster.rig;
      return throughFault(cluster, {
        begin: () => allowManagement(management, { inventory: false }),
        end: () => allowManagement(management),
        reason: "InventoryUnreadable",
      });
    },
  },
  "inventory deleted": {
    done: "the inventory is deleted, as after an upgrade from a version that had none",
    act: async (cluster) => {
      const { rig, requests, writes } = cluster;
      const first = await cluster.start();
      await first.morePasses(1);
      const since = requests();
      await clearInventories(rig.management, NAMESPACE);
      await first.morePasses(2);
      expect(writes(since)).toEqual([]);
      await cluster.setPolicy(TIGHTER);
      await cluster.settled(first);
      await cluster.setPolicy(POLICY);
      await cluster.settled(first);
      return "begun anew: nothing written or deleted, and all of it kept as before";
    },
  },
};

async function rewrite({ rig }: HostedCluster, object: KubernetesObject, patch: readonly object[]): Promise<void> {
  const headers = { "content-type": "application/json-patch+json" };
  const path = await objectPath(rig.guest, object);
  const { status, text } = await rig.guest.request(OPERATOR, "PATCH", path, JSON.stringify(patch), headers);
  if (status !== 200) throw new Error(text);
}

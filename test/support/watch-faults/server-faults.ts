/** Faults of API servers, of their stores, and of the rights that they grant. */
import { expect } from "vitest";
import { waitAccess } from "../controlplane/access.ts";
import { remove } from "../controlplane/objects.ts";
import { ADMIN, OPERATOR } from "../watch/rig.ts";
import { allow } from "../watch-process/rbac.ts";
import type { FaultCases } from "./fault.ts";
import { allowManagement } from "./management-rights.ts";
import { throughFault } from "./through-fault.ts";

const WATCHED_KINDS = [
  { apiGroups: ["karpenter.sh", "karpenter.k8s.aws", "karpenter.hypershift.openshift.io"], resources: ["*"] },
  { apiGroups: ["admissionregistration.k8s.io"], resources: ["*"] },
];

export const serverFaults: FaultCases = {
  "policy unreadable": {
    done: "RBAC of the management cluster no longer lets the policy be read, then does again",
    act: (cluster) => {
      const { management } = cluster.rig;
      return throughFault(cluster, {
        begin: () => allowManagement(management, { policies: false }),
        end: () => allowManagement(management),
        reason: "PolicyForbidden",
      });
    },
  },
  "guest not writable": {
    done: "RBAC of the guest cluster no longer lets anything be written, then does again",
    act: (cluster) => {
      const { guest } = cluster.rig;
      const binding = {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        metadata: { name: "test:system.hosted-cluster-config" },
      };
      return throughFault(cluster, {
        begin: async () => {
          const rules = WATCHED_KINDS.map((kinds) => ({ ...kinds, verbs: ["get", "list", "watch"] }));
          await allow(guest, OPERATOR, "only-reads", rules);
          await remove(guest, ADMIN, binding);
          for (const verb of ["create", "patch", "delete"])
            await waitAccess(guest, OPERATOR, { verb, group: "karpenter.sh", resource: "nodepools" }, false);
        },
        end: () => allow(guest, OPERATOR, "test:system.hosted-cluster-config", [ALL]),
        reason: "PoolOutsidePolicy",
      });
    },
  },
  "guest's API server killed": {
    done: "killed while a change is applied, started again on its data",
    act: (cluster) => {
      const { guest } = cluster.rig;
      return throughFault(cluster, {
        begin: () => guest.killApiServer(),
        end: () => guest.startApiServer(),
        reason: "ClusterUnreadable",
        silent: "guest",
      });
    },
  },
  "management's API server killed": {
    done: "killed, started again on its data",
    act: (cluster) => {
      const { management } = cluster.rig;
      return throughFault(cluster, {
        begin: () => management.killApiServer(),
        end: () => management.startApiServer(),
        reason: "PolicyUnavailable",
        silent: "management",
      });
    },
  },
  "policy forbidden by a server that starts": {
    done: "management's API server killed and started twice, with onPolicyUnreadable: Permissive",
    act: async (cluster) => {
      const { rig, state, requests, writes } = cluster;
      const watch = await cluster.start(["--on-policy-unreadable", "Permissive"]);
      const before = await state();
      const since = requests();
      for (let turn = 0; turn < 2; turn++) {
        await rig.management.killApiServer();
        await rig.management.startApiServer();
        await watch.until("all is well again", async () => watch.passes().at(-1)?.["result"] === "ok");
      }
      expect(writes(since)).toEqual([]);
      expect(await state()).toEqual(before);
      return "nothing written: until it is ready, it may forbid what it allows later";
    },
  },
  "etcd paused": {
    done: "SIGSTOP to the guest's etcd for 20 s, then SIGCONT",
    act: (cluster) => {
      const { pids } = cluster.rig.guest;
      return throughFault(cluster, {
        begin: () => void process.kill(pids.etcd, "SIGSTOP"),
        end: () => void process.kill(pids.etcd, "SIGCONT"),
        reason: undefined,
        silent: "guest",
        lastsMs: 20_000,
      });
    },
  },
};

const ALL = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };

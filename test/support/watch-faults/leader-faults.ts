/** Two replicas of anp, of which one leads until it is killed. */
import { expect } from "vitest";
import { NAMESPACE } from "../watch/inputs.ts";
import { allow } from "../watch-process/rbac.ts";
import { kwokPool } from "../watch-process/kwok-pools.ts";
import type { FaultCases } from "./fault.ts";
import { POLICY, TIGHTER } from "./hosted-cluster.ts";

export const leaderFaults: FaultCases = {
  "leader killed": {
    done: "SIGKILL to the one of two replicas that leads, with a change to apply",
    act: async (cluster) => {
      const { rig, add, drop, setPolicy, settled } = cluster;
      const rule = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"] };
      await allow(rig.management, "plain-user", "anp-leader-election", [rule], NAMESPACE);
      const elect = ["--leader-elect", "--leader-election-namespace", NAMESPACE];
      const leader = await cluster.start(elect);
      const other = await cluster.startStandby(elect);
      await settled(leader);
      await add(kwokPool("comes"));
      await setPolicy(TIGHTER);
      await leader.stop("SIGKILL");
      const killed = Date.now();
      expect(other.passes()).toEqual([]);
      await settled(other);
      console.log(`the other replica has applied all ${Date.now() - killed} ms after the leader was killed`);
      await setPolicy(POLICY);
      await drop(kwokPool("comes"));
      await settled(other);
      return "the other replica takes over and applies it";
    },
  },
};

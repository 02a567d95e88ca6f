/** Runs a watch of several clusters in the process of the test, with access to their states. */
import type { ClusterState, Fleet } from "../../../src/cluster/fleet/fleet.ts";
import type { ClusterSpec, RunOptions, RunOutcome } from "../../../src/cluster/run/run.ts";
import { runWatch } from "../../../src/cluster/run/run-watch.ts";
import { shippedCatalogue } from "../../../src/library/shipped-catalogue.ts";
import { NAMESPACE, SETTINGS } from "./inputs.ts";
import { OPERATOR, type Rig } from "./rig.ts";

interface Running {
  readonly fleet: Fleet;
  readonly state: (name: string) => ClusterState | undefined;
  readonly ended: Promise<RunOutcome>;
}

/** Clusters with live wrappers, as HyperShift's operator. */
export function specOf(rig: Rig, name: string, over: Partial<ClusterSpec> = {}): ClusterSpec {
  return {
    name,
    hostedCluster: NAMESPACE,
    guest: { kubeconfig: rig.kubeconfig("guest", OPERATOR) },
    management: { kubeconfig: rig.kubeconfig("management", "guest-admin") },
    ...SETTINGS,
    ...over,
  };
}

export function runInProcess(specs: readonly ClusterSpec[], over: Partial<RunOptions> = {}): Running {
  let fleet: Fleet | undefined;
  const ended = runWatch(specs, {
    once: false,
    intervalMs: 1000,
    concurrency: 4,
    leaderElection: undefined,
    catalogue: shippedCatalogue,
    listen: undefined,
    logFormat: "json",
    write: () => undefined,
    onFleet: (given) => (fleet = given),
    ...over,
  });
  const state = (name: string) => fleet?.clusters().find((cluster) => cluster.name === name);
  return { fleet: fleet!, state, ended };
}

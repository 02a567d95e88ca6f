/** The fleet in, its probes and metrics on an address out. */
import type { ListenAddress } from "../../model/listen-address.ts";
import type { Candidate } from "../lease/candidate.ts";
import type { FleetState } from "../fleet/fleet-state.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { fleetMetrics } from "./metrics.ts";
import {
  type Complaints,
  complaintsOfHealth,
  complaintsOfReadiness,
  longPasses,
  unreachableClusters,
} from "./probes.ts";
import { type Page, serve } from "./serve.ts";

interface Served {
  readonly clusters: readonly WatchedCluster[];
  readonly state: FleetState;
  readonly lease: Candidate | undefined;
  readonly intervalMs: number;
  readonly concurrency: number;
  readonly ending: AbortSignal;
}

export interface FleetServer {
  readonly address: string;
  /** A pass came to its end. */
  readonly took: (cluster: string, seconds: number) => void;
  readonly close: () => void;
}

/** @throws ClusterError where the address cannot be had */
export async function serveFleet(listen: ListenAddress, served: Served): Promise<FleetServer> {
  const { clusters, state, lease, intervalMs, concurrency, ending } = served;
  const metrics = fleetMetrics({ fleet: state.fleet, clusters, lease, concurrency });
  const hearts = () =>
    state.desks.map((desk) => {
      const { name, phase, passes } = desk.state();
      return { name, phase, phaseMs: desk.phaseMs(), passes: passes.ok + passes.held + passes.failed };
    });
  const leader = () => lease && { isLeader: lease.isLeader(), isInformed: lease.isInformed() };
  const server = await serve(listen, {
    "/healthz": () => {
      const holds = lease && { leads: state.fleet.leader() === true && !ending.aborted, mayLead: lease.isLeader() };
      const notes = [...longPasses(hearts()), ...unreachableClusters(state.fleet.clusters())];
      return probe(complaintsOfHealth(hearts(), intervalMs, holds), notes);
    },
    "/readyz": () => probe(complaintsOfReadiness(hearts(), { isEnding: ending.aborted, leader: leader() })),
    "/metrics": async () => ({ status: 200, contentType: metrics.contentType, text: await metrics.text() }),
  });
  return { address: server.address, close: server.close, took: metrics.took };
}

/** @param notes that change nothing about it */
function probe(complaints: Complaints, notes: readonly string[] = []): Page {
  const isWell = complaints.length === 0;
  const lines = [...(isWell ? ["ok"] : complaints), ...notes];
  const text = lines.map((line) => `${line}\n`).join("");
  return { status: isWell ? 200 : 503, contentType: "text/plain; charset=utf-8", text };
}

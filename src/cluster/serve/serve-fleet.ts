/** The fleet in, its probes and metrics on an address out. */
import type { ListenAddress } from "../../model/listen-address.ts";
import type { Candidate } from "../lease/candidate.ts";
import type { FleetState } from "../fleet/fleet-state.ts";
import { fleetMetrics, type ReplicaFacts } from "./metrics.ts";
import {
  type Complaints,
  complaintsOfHealth,
  complaintsOfReadiness,
  longPasses,
  unreachableClusters,
} from "./probes.ts";
import { type Page, serve } from "./serve.ts";

interface Served {
  /** Those that are there now. */
  readonly clusters: Parameters<typeof fleetMetrics>[0]["clusters"];
  readonly state: FleetState;
  readonly lease: Candidate | undefined;
  readonly intervalMs: number;
  readonly concurrency: number;
  readonly ending: AbortSignal;
  /** Of a replica whose clusters come and go: what its probes say in place of what each cluster's loop does. */
  readonly replica?: ReplicaFacts & { readonly complaints: () => Complaints };
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
  const { replica } = served;
  const metrics = fleetMetrics({ fleet: state.fleet, clusters, lease, concurrency, replica });
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
      // Of many clusters that are found none makes the replica die for all others, whatever its loop does.
      const timers = replica === undefined ? hearts() : [];
      return probe(complaintsOfHealth(timers, intervalMs, holds), shortList(notes));
    },
    "/readyz": () => {
      const facts = { isEnding: ending.aborted, leader: leader() };
      return probe(complaintsOfReadiness(replica === undefined ? hearts() : [], facts, replica?.complaints()));
    },
    "/metrics": async () => ({ status: 200, contentType: metrics.contentType, text: await metrics.text() }),
  });
  return { address: server.address, close: server.close, took: metrics.took };
}

const MOST_NOTES = 50;

function shortList(notes: readonly string[]): readonly string[] {
  const more = notes.length - MOST_NOTES;
  return more <= 0 ? notes : [...notes.slice(0, MOST_NOTES), `and ${more} more`];
}

/** @param notes that change nothing about it */
function probe(complaints: Complaints, notes: readonly string[] = []): Page {
  const isWell = complaints.length === 0;
  const lines = [...(isWell ? ["ok"] : complaints), ...notes];
  const text = lines.map((line) => `${line}\n`).join("");
  return { status: isWell ? 200 : 503, contentType: "text/plain; charset=utf-8", text };
}

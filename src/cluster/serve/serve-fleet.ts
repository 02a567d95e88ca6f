/** Serves the probes and metrics of the fleet over HTTP. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ListenAddress } from "../../model/settings/settings.ts";
import { ClusterError } from "../api/api-answer.ts";
import type { FleetState } from "../fleet/fleet-state.ts";
import type { Candidate } from "../lease/candidate.ts";
import { fleetMetrics, type ReplicaFacts } from "./metrics.ts";
import { livenessFailures, longPasses, type ProbeFailures, readinessFailures, unreachableClusters } from "./probes.ts";

interface Served {
  /** The current clusters. */
  readonly clusters: Parameters<typeof fleetMetrics>[0]["clusters"];
  readonly state: FleetState;
  readonly lease: Candidate | undefined;
  readonly intervalMs: number;
  readonly concurrency: number;
  readonly ending: AbortSignal;
  /** Lines that readiness shows in addition, and that do not change its result. */
  readonly notes?: (() => readonly string[]) | undefined;
  /** With discovery: readiness of the replica replaces readiness by cluster. */
  readonly replica?: ReplicaFacts & { readonly failures: () => ProbeFailures };
}

interface FleetServer {
  readonly address: string;
  /** Called at the end of each pass. */
  readonly took: (cluster: string, seconds: number) => void;
  readonly close: () => void;
}

/** @throws ClusterError if it cannot listen on the address */
export async function serveFleet(listen: ListenAddress, served: Served): Promise<FleetServer> {
  const { clusters, state, lease, intervalMs, concurrency, ending } = served;
  const { replica, notes: moreNotes = () => [] } = served;
  const metrics = fleetMetrics({ fleet: state.fleet, clusters, lease, concurrency, replica });
  const hearts = () =>
    state.reporters.map((reporter) => {
      const { name, phase, passes } = reporter.state();
      return { name, phase, phaseMs: reporter.phaseMs(), passes: passes.ok + passes.held + passes.failed };
    });
  const leader = () => lease && { isLeader: lease.isLeader(), isInformed: lease.isInformed() };
  const server = await serve(listen, {
    "/healthz": () => {
      const holds = lease && { leads: state.fleet.leader() === true && !ending.aborted, mayLead: lease.isLeader() };
      const notes = [...moreNotes(), ...longPasses(hearts()), ...unreachableClusters(state.fleet.clusters())];
      // With discovery, one cluster must not restart the replica for all others.
      const timers = replica === undefined ? hearts() : [];
      return probe(livenessFailures(timers, intervalMs, holds), shortList(notes));
    },
    "/readyz": () => {
      const facts = { isEnding: ending.aborted, leader: leader() };
      const failures = readinessFailures(replica === undefined ? hearts() : [], facts, replica?.failures());
      return probe(failures, shortList(moreNotes()));
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

/** @param notes lines that do not change the result */
function probe(failures: ProbeFailures, notes: readonly string[] = []): Page {
  const isHealthy = failures.length === 0;
  const lines = [...(isHealthy ? ["ok"] : failures), ...notes];
  const text = lines.map((line) => `${line}\n`).join("");
  return { status: isHealthy ? 200 : 503, contentType: "text/plain; charset=utf-8", text };
}

interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

interface Server {
  /** With the real port: `127.0.0.1:8080`. */
  readonly address: string;
  readonly close: () => void;
}

/** Each probe opens a connection of its own, every few seconds. */
const PATIENCE_MS = 10_000;

/** @throws ClusterError if it cannot listen on the address */
async function serve(
  { host, port }: ListenAddress,
  pages: Readonly<Record<string, () => Page | Promise<Page>>>,
): Promise<Server> {
  const server = createServer({ requestTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS }, (request, response) => {
    answer(request, response, pages).catch((error: unknown) => {
      send(response, { status: 500, contentType: PLAIN, text: `${(error as Error).message}\n` }, false);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const where = `${host ?? ""}:${port}`;
      reject(new ClusterError(`cannot listen on ${where}: ${error.code ?? error.message}`));
    });
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  return {
    address: wordsOf(server.address() as AddressInfo),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const PLAIN = "text/plain; charset=utf-8";

async function answer(
  { method = "", url = "" }: IncomingMessage,
  response: ServerResponse,
  pages: Readonly<Record<string, () => Page | Promise<Page>>>,
): Promise<void> {
  const path = url.split("?")[0] ?? "";
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  const isHead = method === "HEAD";
  if (page === undefined) send(response, { status: 404, contentType: PLAIN, text: "not found\n" }, isHead);
  else if (method !== "GET" && !isHead) send(response, { status: 405, contentType: PLAIN, text: "only GET\n" }, isHead);
  else send(response, await page(), isHead);
}

function send(response: ServerResponse, { status, contentType, text }: Page, isHead: boolean): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": contentType, "content-length": length, "cache-control": "no-store" });
  response.end(isHead ? undefined : text);
}

function wordsOf({ address, port, family }: AddressInfo): string {
  return family === "IPv6" ? `[${address}]:${port}` : `${address}:${port}`;
}

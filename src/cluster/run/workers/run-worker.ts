/** What a worker thread does: keeps the clusters that it is told of, and tells of them. */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { allConnections } from "../../api/connections.ts";
import { httpClusterApi } from "../../api/http-cluster-api.ts";
import { type Desk, deskOf, type FleetState } from "../../fleet/fleet-state.ts";
import { figuresOf } from "../../fleet/figures.ts";
import { shardOf } from "../../shards/shard-of.ts";
import { workHere } from "../cluster-work.ts";
import { nameOf } from "../found-cluster.ts";
import { keepClusters } from "../keep-clusters.ts";
import { perhapsCatalogue } from "../perhaps-catalogue.ts";
import { batchedLog } from "./batched-log.ts";
import { seenFence } from "./fence.ts";
import type { FromWorker, ToWorker, WorkerTask } from "./messages.ts";
import { vitalsOf } from "./vitals.ts";
import { workerCatalogues } from "./worker-catalogues.ts";

/** So often the fence is looked at, the loop shows that it turns, and memory is told. */
const BEAT_MS = 250;
const COUNT_MS = 5000;

const MIB = 1024 * 1024;

/** For as long as the thread lives. */
export function runWorker(): void {
  const { discover, intervalMs, concurrency, shards, fence, vitals, memoryMiB, catalogue } = workerData as WorkerTask;
  const { log, tell } = batchedLog((message) => parentPort!.postMessage(message));
  const seen = seenFence(fence);
  const mine = vitalsOf(vitals);
  const shardOfEach = new Map<string, number>();
  const mayAsk = (namespace: string): boolean => {
    const shard = shardOfEach.get(namespace);
    return shard !== undefined && !mine.isOver() && seen.isOpen(shard);
  };
  const connections = allConnections();
  const cut = new AbortController();
  const door = { connections, until: cut.signal };
  const keeper = keepClusters({
    nameOf: (namespace) => nameOf(namespace, discover),
    state: mirroredState(tell),
    log,
    isOurs: () => true,
    begin: workHere({
      discover,
      run: {
        log,
        catalogue: perhapsCatalogue(workerCatalogues(catalogue), (reason) => tell({ kind: "unread", reason })),
      },
      intervalMs,
      concurrency,
      management: httpClusterApi({ ...discover.management, ...door, mayAsk: () => !mine.isOver() && !seen.isShut() }),
      connections,
      mayAsk,
      isTold: seen.isTold,
      took: (_cluster, seconds, namespace) => tell({ kind: "took", namespace, seconds }),
      cut: cut.signal,
    }),
  });

  const told = new Map<string, string>();
  const count = (): void => {
    for (const { namespace, guest, management } of keeper.clusters()) {
      const counts = { guest: guest.requests(), management: management?.requests() ?? {} };
      const print = JSON.stringify(counts);
      if (told.get(namespace) !== print) tell({ kind: "requests", namespace, ...counts });
      told.set(namespace, print);
    }
  };
  const end = async (namespace: string): Promise<void> => {
    keeper.gone(namespace);
    await keeper.settled((one) => one === namespace);
    shardOfEach.delete(namespace);
    told.delete(namespace);
    tell({ kind: "stopped", namespace });
  };
  const hear = (message: ToWorker): void => {
    switch (message.kind) {
      case "begin":
        shardOfEach.set(message.cluster.namespace, shardOf(message.cluster.namespace, shards));
        return keeper.found(message.cluster);
      case "end":
        return void end(message.namespace);
      case "news":
        return keeper.news(message.namespace);
      case "credentials":
        return keeper.credentials(message.namespace);
    }
  };
  parentPort!.on("message", hear);
  const beat = (): void => {
    const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
    mine.beat(heap, outside);
    // What is under way is cut as well: others may begin soon. The main thread knows by itself.
    if (mine.isOver() || (shardOfEach.size > 0 && seen.isShut())) cut.abort();
    // V8 keeps the heap within its limit, and nobody what stands outside of it.
    if (outside > memoryMiB * MIB) throw new Error(`more than ${memoryMiB} MiB of memory for what it received`);
  };
  beat();
  setInterval(beat, BEAT_MS);
  setInterval(count, COUNT_MS);
}

/** What is told at its desks is told to the main thread too, where nobody has the results of passes. */
function mirroredState(tell: (message: FromWorker) => void): Pick<FleetState, "add" | "remove"> {
  return {
    add: (named) => {
      const { hostedCluster: namespace } = named;
      const desk = deskOf(named, () => undefined);
      return {
        ...desk,
        tell: (phase, nextRun) => {
          const before = desk.state();
          desk.tell(phase, nextRun);
          if (desk.state() !== before) tell({ kind: "phase", namespace, phase, nextRun });
        },
        started: () => {
          desk.started();
          tell({ kind: "started", namespace });
        },
        ended: (pass) => {
          desk.ended(pass);
          const { result, broken, end } = pass;
          tell({
            kind: "ended",
            namespace,
            pass: { result: undefined, figures: result && figuresOf(result), broken, end },
          });
        },
      } satisfies Desk;
    },
    remove: () => undefined,
  };
}

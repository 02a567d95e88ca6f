/** A real worker thread that does with each cluster what its name says, where the real one would make passes. */
import { parentPort, workerData } from "node:worker_threads";
import type { FromWorker, ToWorker, WorkerTask } from "../../../src/cluster/run/workers/messages.ts";
import { vitalsOf } from "../../../src/cluster/run/workers/vitals.ts";

const { vitals } = workerData as WorkerTask;
const mine = vitalsOf(vitals);
const tell = (message: FromWorker): void => parentPort!.postMessage(message);

/** `well-…` has its pass; `later-…` too, and ends its worker after it; `hangs-…` begins one that never ends; the others end their worker in the middle of one. */
const DOES: Readonly<Record<string, (namespace: string) => void>> = {
  well: passes,
  later: (namespace) => {
    passes(namespace);
    setTimeout(() => DOES["throws"]!(namespace), 500);
  },
  hangs: () => undefined,
  blocks: () => {
    for (;;);
  },
  throws: () => {
    throw new Error("a slip of ours");
  },
  fills: () => {
    const all: unknown[] = [];
    for (let index = 0; ; index++) all.push({ index });
  },
};

function passes(namespace: string): void {
  const figures = { result: "ok", drift: 0, pruned: 0, unreachable: [] };
  tell({ kind: "ended", namespace, pass: { result: undefined, figures, broken: undefined, end: new Date() } as never });
  tell({ kind: "phase", namespace, phase: "waiting", nextRun: undefined });
}

parentPort!.on("message", (message: ToWorker) => {
  if (message.kind === "end") tell({ kind: "stopped", namespace: message.namespace });
  if (message.kind !== "begin") return;
  const { namespace } = message.cluster;
  tell({ kind: "started", namespace });
  const what = namespace.split("-")[0]!;
  // Those that are well have had their pass by then.
  setTimeout(() => DOES[what]!(namespace), what === "well" ? 0 : 500);
});
mine.beat(0, 0);
setInterval(() => mine.beat(0, 0), 100);

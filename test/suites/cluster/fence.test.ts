/** That a thread sends nothing after its lease's time, also while the main thread stands still: real threads, no message. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { seenFence, sharedFence } from "../../../src/cluster/run/workers/fence.ts";

const FENCE = new URL("../../../src/cluster/run/workers/fence.ts", import.meta.url).href;

/** Says for each shard when it was shut, by the clock of all threads, without a word from the main thread. */
const LOOKS = `
  const { parentPort, workerData } = require("node:worker_threads");
  import(${JSON.stringify(FENCE)}).then(({ seenFence }) => {
    const { isOpen } = seenFence(workerData.fence);
    const shutAt = new BigInt64Array(workerData.shutAt);
    parentPort.postMessage([isOpen(0), isOpen(1)]);
    while (isOpen(0));
    Atomics.store(shutAt, 0, process.hrtime.bigint());
    Atomics.notify(new Int32Array(workerData.shutAt, 8), 0);
  });
`;

test("a thread finds the fence shut in time while the main thread stands still", async () => {
  const { buffer, setUntil, setShard } = sharedFence(2);
  const shutAt = new SharedArrayBuffer(16);
  setShard(0, true);
  setUntil(performance.now() + 3000);
  const until = process.hrtime.bigint() + 3_000_000_000n;
  const worker = new Worker(LOOKS, { eval: true, workerData: { fence: buffer, shutAt } });
  expect(await once(worker, "message")).toEqual([[true, false]]);
  Atomics.wait(new Int32Array(shutAt, 8), 0, 0, 20_000);
  const late = Atomics.load(new BigInt64Array(shutAt), 0) - until;
  expect(late).toBeGreaterThan(-1_000_000_000n);
  // The thread may have had no processor for a while: then it could send nothing either.
  expect(late).toBeLessThan(10_000_000_000n);
  await worker.terminate();
});

test("what is shut is shut at once, for one shard or all", () => {
  const { buffer, setUntil, setShard } = sharedFence(3);
  const seen = seenFence(buffer);
  const open = () => [0, 1, 2].map(seen.isOpen);
  expect([open(), seen.isShut()]).toEqual([[false, false, false], true]);
  setShard(1, true);
  setShard(2, true);
  expect(open()).toEqual([false, false, false]);
  setUntil(Infinity);
  expect(open()).toEqual([false, true, true]);
  setShard(1, false);
  expect(open()).toEqual([false, false, true]);
  setUntil(performance.now() - 1);
  expect(open()).toEqual([false, false, false]);
  setUntil(performance.now() + 60_000);
  expect(open()).toEqual([false, false, true]);
  setUntil(-Infinity);
  expect([open(), seen.isShut()]).toEqual([[false, false, false], true]);
});

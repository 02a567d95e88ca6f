/** A fault in the middle of work: how it begins and ends in; that nothing moved while it lasted, and all of it afterwards, is proved. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { kwokPool } from "../watch-process/kwok-pools.ts";
import type { WatchProcess } from "../watch-process/start-watch.ts";
import { type HostedCluster, POLICY, TIGHTER } from "./hosted-cluster.ts";

interface Fault {
  readonly begin: (watch: WatchProcess) => Promise<void> | void;
  readonly end: () => Promise<void> | void;
  /** What watch says of the policy while it lasts; undefined where it cannot come to the end of a pass. */
  readonly reason: string | undefined;
  /** The API server that does not answer while it lasts: what it is to hear then, it hears just before. */
  readonly silent?: "guest" | "management";
  /** How long to wait where passes do not end. */
  readonly lastsMs?: number;
}

/**
 * While it lasts the policy is tightened, one wrapper comes and one goes.
 *
 * @returns what became of it, in words
 */
export async function throughFault(cluster: HostedCluster, fault: Fault): Promise<string> {
  const { add, drop, setPolicy, settled, state, writes, requests } = cluster;
  const watch = await cluster.start();
  await add(kwokPool("goes"));
  await settled(watch);
  const before = await state();
  const since = requests();
  // Nor is it to hear of that before it begins.
  if (fault.silent !== undefined) process.kill(watch.pid, "SIGSTOP");
  if (fault.silent === "guest") await changeWrappers();
  if (fault.silent === "management") await setPolicy(TIGHTER);
  await fault.begin(watch);
  if (fault.silent !== undefined) process.kill(watch.pid, "SIGCONT");
  try {
    await held();
  } finally {
    await fault.end();
  }
  const ended = Date.now();
  await settled(watch);
  const healedMs = Date.now() - ended;
  // Another uid would be another pool, whose nodes are new.
  const after = await state();
  for (const name of ["NodePool/web", "NodePool/batch", "EC2NodeClass/default"])
    expect(after[name]).toMatchObject({ uid: before[name]?.uid, hash: before[name]?.hash, deleting: false });
  await setPolicy(POLICY);
  await drop(kwokPool("comes"));
  await settled(watch);
  console.log(`all applied ${healedMs} ms after the end of the fault`);
  const meanwhile = fault.reason === undefined ? "no pass came to its end" : `nothing written, ${fault.reason}`;
  return `meanwhile ${meanwhile}; afterwards policy and wrappers applied`;

  async function held(): Promise<void> {
    const began = watch.passes().length;
    if (fault.silent !== "management") await setPolicy(TIGHTER);
    if (fault.silent !== "guest") await changeWrappers();
    if (fault.lastsMs === undefined) await watch.morePasses(2);
    else await sleep(fault.lastsMs);
    if (fault.reason === undefined) return;
    // The pass during which it began may have met either world.
    const reasons = watch
      .passes()
      .slice(began + 1)
      .map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set([fault.reason]));
    expect(writes(since)).toEqual([]);
    if (fault.silent !== "guest") expect(await state()).toEqual(before);
  }

  async function changeWrappers(): Promise<void> {
    await add(kwokPool("comes"));
    await drop(kwokPool("goes"));
  }
}

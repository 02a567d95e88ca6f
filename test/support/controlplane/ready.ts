/** Waits until a starting control plane is ready, or throws an error with its log. */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "./server-process.ts";

/** For what hangs: beside other suites Karpenter takes minutes for what takes seconds alone. */
const READY_WITHIN_MS = 420_000;
const PAUSE_MS = 50;

export class StartError extends Error {}

/** Polls until it answers, one of the processes has ended, or the time is over. */
export async function waitFor<T>(
  what: string,
  servers: readonly ServerProcess[],
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    const ended = servers.find((server) => server.ended !== undefined);
    const late = Date.now() > deadline;
    if (ended !== undefined) throw new StartError(report(`${ended.name} ended: ${ended.ended}`, servers));
    if (late) throw new StartError(report(`${what} not within ${READY_WITHIN_MS / 1000} s`, servers));
    await sleep(PAUSE_MS);
  }
}

/** Waits for a complete file. */
export async function readCertificate(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.trimEnd().endsWith("-----END CERTIFICATE-----") ? text : undefined;
}

function report(problem: string, servers: readonly ServerProcess[]): string {
  const logs = servers.map((server) => `--- ${server.name}, end of its log:\n${server.logTail}`);
  return [problem, ...logs].join("\n");
}

/** A pool of rigs for the suites of a run: starts one if none is free, and stops all at the end. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { accessOf, type ControlPlaneAccess } from "../controlplane/connect.ts";
import type { Rig } from "./rig.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the lender. */
    rigs: string;
  }
}

export interface LentRig {
  readonly number: number;
  readonly management: ControlPlaneAccess;
  readonly guest: ControlPlaneAccess;
}

/** Vitest calls it before the first suite, and the returned function after the last. */
export default async function lendRigs(project: TestProject): Promise<() => Promise<void>> {
  const rigs: Promise<Rig>[] = [];
  const free: number[] = [];

  async function lend(): Promise<LentRig> {
    const number = free.pop() ?? rigs.push(start()) - 1;
    const { management, guest } = await rigs[number]!;
    return { number, management: accessOf(management), guest: accessOf(guest) };
  }

  async function answer({ url }: IncomingMessage): Promise<LentRig | undefined> {
    const [, returned] = /^\/returned\/(\d+)$/.exec(url ?? "") ?? [];
    if (returned === undefined) return lend();
    free.push(Number(returned));
    return undefined;
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (value) => response.end(JSON.stringify(value ?? null)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project.provide("rigs", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    const started = await Promise.allSettled(rigs);
    await Promise.all(started.flatMap((one) => (one.status === "fulfilled" ? [one.value.stop()] : [])));
  };
}

/** Imported on demand, because most runs need no rig. */
async function start(): Promise<Rig> {
  const { startRig } = await import("./rig.ts");
  return startRig();
}

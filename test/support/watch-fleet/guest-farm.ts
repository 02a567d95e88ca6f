/** A process with the API servers of many guest clusters, each on a port of its own: what its parent says is done and answered. */
import { once } from "node:events";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { nodeClass, pool } from "../watch/inputs.ts";
import type { FarmRequest, FarmTable, GuestFill, Lag, LoggedWrite } from "./farm-table.ts";
import { guestAnswers, type GuestManners } from "./guest-answers.ts";
import { type GuestObject, type GuestObjects, guestObjects } from "./guest-objects.ts";
import { CLASSES, CRDS, POOLS, WRAPPERS } from "./guest-places.ts";

interface Farmed {
  readonly name: string;
  readonly objects: GuestObjects;
  readonly manners: GuestManners;
  readonly answer: ReturnType<typeof guestAnswers>;
  readonly port: Server;
  requests: number;
  watches: number;
  /** Of its pool `web`: what it is to say, and since when. */
  awaited: { readonly cpu: string; readonly since: number } | undefined;
}

const guests = new Map<string, Farmed>();
const byPort = new Map<number, Farmed>();
const writes: LoggedWrite[] = [];
let reactions: number[] = [];
let beat: NodeJS.Timeout | undefined;
let turn = 0;
let https: ReturnType<typeof createHttps>;
const lag = monitorEventLoopDelay({ resolution: 10 });
lag.enable();

const MANY_BYTES = "x".repeat(250_000);
/** Older than whatever is made in a test. */
const LONG_AGO = "2020-01-01T00:00:00Z";

function fill(objects: GuestObjects, { pools, annotated }: GuestFill): void {
  for (const crd of ["openshiftnodepools", "openshiftec2nodeclasses"])
    objects.put(CRDS, { metadata: { name: `${crd}.karpenter.hypershift.openshift.io`, creationTimestamp: LONG_AGO } });
  objects.put(CLASSES, nodeClass("default") as GuestObject);
  const names = ["web", ...Array.from({ length: pools - 1 }, (_, index) => `p${String(index).padStart(5, "0")}`)];
  for (const name of names) {
    const wrapper = pool(name) as GuestObject;
    const annotations = { note: MANY_BYTES };
    objects.put(WRAPPERS, annotated ? { ...wrapper, metadata: { ...wrapper.metadata, annotations } } : wrapper);
  }
}

function change(guest: Farmed): void {
  const wrapper = guest.objects.get(WRAPPERS, "web");
  if (wrapper === undefined) return;
  const cpu = String(1000 + ++turn);
  guest.awaited = { cpu, since: performance.now() };
  guest.objects.put(WRAPPERS, { ...wrapper, spec: { ...(wrapper["spec"] as object), limits: { cpu } } });
}

function cpuOf(object: GuestObject | undefined): unknown {
  return (object?.["spec"] as { limits?: { cpu?: unknown } } | undefined)?.limits?.cpu;
}

function noteReaction(guest: Farmed, object: GuestObject | undefined): void {
  if (guest.awaited === undefined || cpuOf(object) !== guest.awaited.cpu) return;
  reactions.push(performance.now() - guest.awaited.since);
  guest.awaited = undefined;
}

/** Wrappers without a pool that says the same, and pools without a wrapper. */
function unlike({ objects }: Farmed): string[] {
  const wrappers = objects.all(WRAPPERS);
  const wrong = wrappers.map(({ metadata }) => String(metadata["name"])).filter((name) => !isLike(objects, name));
  const orphans = objects.all(POOLS).filter(({ metadata }) => !objects.get(WRAPPERS, String(metadata["name"])));
  return [...wrong, ...orphans.map(({ metadata }) => `${String(metadata["name"])} without a wrapper`)];
}

function isLike(objects: GuestObjects, name: string): boolean {
  const made = objects.get(POOLS, name);
  return made !== undefined && cpuOf(made) === cpuOf(objects.get(WRAPPERS, name));
}

function lagNow(): Lag {
  const milliseconds = (nanoseconds: number) => Math.round(nanoseconds / 1e6);
  return { p50: milliseconds(lag.percentile(50)), p99: milliseconds(lag.percentile(99)), max: milliseconds(lag.max) };
}

const table: FarmTable = {
  open: (tls) => {
    https = createHttps(tls, (request, response) => {
      const guest = byPort.get(request.socket.localPort ?? 0);
      if (guest === undefined) return void response.destroy();
      guest.answer(request, response).catch((error: unknown) => {
        console.error(error);
        response.destroy();
      });
    });
    https.keepAliveTimeout = 120_000;
  },
  add: async (name, given) => {
    const objects = guestObjects();
    fill(objects, given);
    const manners: GuestManners = { tokens: undefined, delayMs: given.delayMs ?? Infinity };
    const port = createServer((socket) => void https.emit("connection", socket));
    port.listen(0, "127.0.0.1");
    await once(port, "listening");
    const number = (port.address() as AddressInfo).port;
    const answer = guestAnswers(objects, {
      manners,
      asked: (isWatch) => void (isWatch ? guest.watches++ : guest.requests++),
      wrote: ({ what, time, token }, object) => {
        writes.push({ guest: name, what, time, token });
        if (what.startsWith(`PATCH ${POOLS}/web`)) noteReaction(guest, object);
      },
    });
    const guest: Farmed = { name, objects, manners, answer, port, requests: 0, watches: 0, awaited: undefined };
    guests.set(name, guest);
    byPort.set(number, guest);
    return number;
  },
  setTokens: (name, tokens) => {
    guests.get(name)!.manners.tokens = tokens;
  },
  setEnds: (name, ends) => {
    guests.get(name)!.manners.ends = ends ?? undefined;
  },
  change: async (names, overMs) => {
    reactions = [];
    lag.reset();
    for (const name of names) {
      change(guests.get(name)!);
      await new Promise((resolve) => setTimeout(resolve, overMs / names.length));
    }
  },
  reactions: () => ({
    milliseconds: reactions.map(Math.round),
    missing: [...guests.values()].filter(({ awaited }) => awaited !== undefined).map(({ name }) => name),
    lag: lagNow(),
  }),
  beat: (names, everyMs) => {
    clearInterval(beat);
    beat = undefined;
    if (names.length === 0) return;
    const list = names.map((name) => guests.get(name)!);
    let next = 0;
    beat = setInterval(() => change(list[next++ % list.length]!), everyMs / names.length);
  },
  unlike: () =>
    Object.fromEntries(
      [...guests.values()].map((guest) => [guest.name, unlike(guest)] as const).filter(([, wrong]) => wrong.length > 0),
    ),
  writes: () => writes,
  counts: () =>
    Object.fromEntries([...guests.values()].map(({ name, requests, watches }) => [name, { requests, watches }])),
};

process.on("message", (request: FarmRequest) => {
  void answerParent(request);
});
process.on("disconnect", () => process.exit());

async function answerParent({ id, method, args }: FarmRequest): Promise<void> {
  const act = table[method] as (...args: readonly unknown[]) => unknown;
  try {
    process.send?.({ id, value: await act(...args) });
  } catch (error) {
    process.send?.({ id, error: String((error as Error).stack ?? error) });
  }
}

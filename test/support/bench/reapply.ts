/** `npm run bench:reapply`: a changed policy, by anp, an older anp and a bare client, in turns. */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type AuditedRequest, auditedRequests } from "../controlplane/audit.ts";
import { inParallel } from "../../../src/cluster/waiting/in-parallel.ts";
import { BIN, buildOnce, NODE } from "../process/built.ts";
import { startBuiltWatch } from "../reapply/built-watch.ts";
import type { BareResult, BareRun } from "../reapply/bare-client.ts";
import { cpuOf } from "../reapply/cpu-of.ts";
import { isPoolWrite, readRecorded, type Recorded } from "../reapply/recorded.ts";
import { ARCH, CONTROL_PLANE, isIn, NAMESPACE, policy, pool } from "../watch/inputs.ts";
import { OPERATOR, put, type Rig, startRig } from "../watch/rig.ts";

const { values } = parseArgs({
  options: {
    pools: { type: "string", default: "500" },
    rounds: { type: "string", default: "3" },
    /** `bin/anp.js` of an older anp, repeatable. */
    old: { type: "string", multiple: true, default: [] as string[] },
    /** Concurrent requests of the bare client. */
    at: { type: "string", default: "8" },
  },
});
const POOLS = Number(values.pools);
const ROUNDS = Number(values.rounds);
const WITHIN_MS = 600_000;
const SAMPLE_MS = 50;
const ARCHS = ["amd64", "arm64"] as const;

/** Times in milliseconds. */
interface Turn {
  readonly who: string;
  /** Until the last NodePool had the change. */
  readonly wall: number;
  /** Until its first write. */
  readonly before: number;
  readonly ownCpu: number;
  readonly serverCpu: number;
  readonly writes: number;
  readonly requests: number;
}

const wrappers = Array.from({ length: POOLS }, (_, index) => pool(`p${String(index).padStart(5, "0")}`));
await buildOnce();
const rig = await startRig({ audited: [OPERATOR, "guest-admin"] });
try {
  await put(rig.management, CONTROL_PLANE);
  await put(rig.management, policyOf(0));
  await inParallel(wrappers, 8, (wrapper) => put(rig.guest, wrapper));
  console.error(`${POOLS} wrappers are there`);
  const programs = [...values.old.map((bin) => [dirname(dirname(resolve(bin))), bin]), ["anp", BIN]] as [
    string,
    string,
  ][];
  const recordings = new Map<number, string>();
  let now = 0;
  // Each once, with all requests recorded; that does not count.
  for (const _ of ARCHS) {
    now++;
    const file = join(rig.folder, `requests-${now % 2}`);
    await ofWatch("recorded", BIN, now, `${file}-all`);
    keepTurn(`${file}-all`, file);
    recordings.set(now % 2, file);
  }
  const turns: Turn[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [who, bin] of programs) turns.push(told(await ofWatch(who, bin, ++now)));
    turns.push(told(await ofBareClient(++now, recordings.get(now % 2)!)));
  }
  console.log(tableOf(turns));
} finally {
  await rig.stop();
}

function policyOf(now: number) {
  return policy([isIn(ARCH, ARCHS[now % 2]!)]);
}

function told(turn: Turn): Turn {
  console.error(JSON.stringify(turn));
  return turn;
}

async function ofWatch(who: string, bin: string, now: number, record?: string): Promise<Turn> {
  const guest = ["--guest-kubeconfig", rig.kubeconfig("guest", OPERATOR)];
  const management = ["--management-kubeconfig", rig.kubeconfig("management", "guest-admin")];
  const args = ["--hosted-cluster", NAMESPACE, "--interval", "1h", ...guest, ...management];
  const watch = startBuiltWatch(bin, args, record);
  const allIn = (after: number) =>
    watch
      .passes(after)
      .some(({ inSync, updated, created }) => Number(inSync) + Number(updated) + Number(created) >= POOLS);
  try {
    await watch.until("the pools as they were", () => allIn(0), WITHIN_MS);
    await untilStill(watch.pid);
    const samples = [sampled(watch.pid)];
    const timer = setInterval(() => samples.push(sampled(watch.pid)), SAMPLE_MS);
    const changed = Date.now();
    await put(rig.management, policyOf(now));
    await watch.until("the pools as they should be", () => allIn(changed), WITHIN_MS);
    clearInterval(timer);
    const since = sinceThen(changed);
    const writes = since.filter(isWrite);
    const [first, last] = [writes[0]!.time, writes.at(-1)!.time];
    const until = since.filter(({ time }) => time <= last);
    // Events are written after that.
    const end = samples.find(({ at }) => at >= last) ?? sampled(watch.pid);
    return {
      who,
      wall: last - changed,
      before: first - changed,
      ownCpu: end.own - samples[0]!.own,
      serverCpu: end.servers - samples[0]!.servers,
      writes: writes.length,
      requests: until.length,
    };
  } finally {
    await watch.stop();
  }
}

function sampled(pid: number) {
  return { at: Date.now(), own: cpuOf(pid), servers: serverCpu(rig) };
}

/** Only the requests from the change until the last write of a pool. */
function keepTurn(from: string, to: string): void {
  const all = readRecorded(from);
  const last = all.findLastIndex(isPoolWrite);
  const first = all.findLastIndex((one, index) => index < last && startsPass(one));
  const turn = all.slice(first, last + 1).filter(({ path }) => !path.includes("watch=true"));
  writeFileSync(to, turn.map((one) => `${JSON.stringify(one)}\n`).join(""));
  rmSync(from);
}

/** The first request to the guest cluster in a pass. */
function startsPass({ method, path }: Recorded): boolean {
  return method === "GET" && path.startsWith("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?limit");
}

async function ofBareClient(now: number, file: string): Promise<Turn> {
  await put(rig.management, policyOf(now));
  const servers = serverCpu(rig);
  const changed = Date.now();
  const run: BareRun = {
    file,
    atOnce: Number(values.at),
    access: {
      [rig.guest.url]: { ca: rig.guest.ca, token: rig.guest.users[OPERATOR].token },
      [rig.management.url]: { ca: rig.management.ca, token: rig.management.users["guest-admin"].token },
    },
  };
  const told = join(rig.folder, "run.json");
  writeFileSync(told, JSON.stringify(run));
  const program = fileURLToPath(new URL("../reapply/bare-client.ts", import.meta.url));
  const { stdout, stderr, status } = spawnSync(NODE, [program, told], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const { wall, cpu, requests, writes } = JSON.parse(stdout) as BareResult;
  const first = sinceThen(changed).find(isWrite)!.time;
  const before = first - sinceThen(changed)[0]!.time;
  return { who: "bare", wall, before, ownCpu: cpu, serverCpu: serverCpu(rig) - servers, writes, requests };
}

function sinceThen(changed: number): AuditedRequest[] {
  return auditedRequests(rig.guest.auditLog).filter(({ time, userAgent }) => time >= changed && userAgent === "anp");
}

function isWrite({ verb, resource, status }: AuditedRequest): boolean {
  return verb === "patch" && resource === "nodepools" && status < 300;
}

function serverCpu({ guest, management }: Rig): number {
  return [guest, management].reduce((sum, { pids }) => sum + cpuOf(pids.apiServer) + cpuOf(pids.etcd), 0);
}

/** Neither it nor the servers have much work any more. */
async function untilStill(pid: number): Promise<void> {
  for (;;) {
    const before = cpuOf(pid) + serverCpu(rig);
    await new Promise((done) => setTimeout(done, 1000));
    if (cpuOf(pid) + serverCpu(rig) - before < 300) return;
  }
}

function tableOf(turns: readonly Turn[]): string {
  const who = [...new Set(turns.map((turn) => turn.who))];
  const fields = ["wall", "before", "ownCpu", "serverCpu", "writes", "requests"] as const;
  const rows = who.map((name) => {
    const mine = turns.filter((turn) => turn.who === name);
    return [name, ...fields.map((field) => median(mine.map((turn) => turn[field])).toFixed(0))];
  });
  const head = ["", ...fields];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}

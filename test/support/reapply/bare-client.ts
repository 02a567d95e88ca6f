/** A program that sends recorded requests and nothing else: a file in, its time and CPU out. */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { isPoolWrite, readRecorded, type Recorded } from "./recorded.ts";

/** What the program is told, as JSON in its first argument. */
export interface BareRun {
  readonly file: string;
  readonly atOnce: number;
  /** By the address of the server. */
  readonly access: Readonly<Record<string, { readonly ca: string; readonly token: string }>>;
}

/** In milliseconds. */
export interface BareResult {
  readonly wall: number;
  readonly cpu: number;
  readonly requests: number;
  readonly writes: number;
}

const { file, atOnce, access } = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as BareRun;
const agents = new Map(
  Object.entries(access).map(([server, { ca }]) => [server, new Agent({ ca, keepAlive: true, maxSockets: atOnce })]),
);

function send({ server, method, path, headers, content }: Recorded): Promise<void> {
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${access[server]!.token}`;
    const options = { agent: agents.get(server)!, method, headers: { ...headers, authorization } };
    const sent = request(`${server}${path}`, options, (response) => {
      response.resume();
      response.on("end", () => {
        if (response.statusCode! < 300 || (method === "GET" && response.statusCode === 404)) resolve();
        else reject(new Error(`${method} ${path}: ${response.statusCode}`));
      });
    });
    sent.on("error", reject);
    sent.end(content);
  });
}

async function sendAll(requests: readonly Recorded[]): Promise<void> {
  const queue = requests.values();
  const worker = async (): Promise<void> => {
    for (const one of queue) await send(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const all = readRecorded(file);
const writes = all.filter(isPoolWrite);
const begun = performance.now();
await sendAll(all.filter((one) => !isPoolWrite(one)));
await sendAll(writes);
const wall = performance.now() - begun;
const { user, system } = process.cpuUsage();
for (const agent of agents.values()) agent.destroy();
const result: BareResult = { wall, cpu: (user + system) / 1000, requests: all.length, writes: writes.length };
console.log(JSON.stringify(result));

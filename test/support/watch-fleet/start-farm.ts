/** Starts a process of fake guest clusters: what it can do as functions out, until it is stopped. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FarmAnswer, FarmTable } from "./farm-table.ts";

type Asynchronous<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (...args: infer Args) => infer Value
    ? (...args: Args) => Promise<Awaited<Value>>
    : never;
};

export interface Farm extends Asynchronous<FarmTable> {
  readonly pid: number;
  readonly stop: () => void;
}

const PROGRAM = fileURLToPath(new URL("guest-farm.ts", import.meta.url));
const NAMES = [
  "open",
  "add",
  "setTokens",
  "setEnds",
  "change",
  "reactions",
  "beat",
  "unlike",
  "writes",
  "counts",
] as const;

export function startFarm(): Farm {
  // It ends when its parent does.
  const child = fork(PROGRAM, {
    execArgv: ["--max-old-space-size=6144"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  child.on("message", (answer: FarmAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("error" in answer) asked?.reject(new Error(answer.error));
    else asked?.resolve(answer.value);
  });
  child.on("exit", (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`the fake guests ended: ${code ?? signal}`));
  });
  const ask = (method: keyof FarmTable, args: readonly unknown[]): Promise<unknown> => {
    const asked = Promise.withResolvers<unknown>();
    const id = ++count;
    waiting.set(id, asked);
    child.send({ id, method, args });
    return asked.promise;
  };
  const methods = NAMES.map((name) => [name, (...args: readonly unknown[]) => ask(name, args)] as const);
  return {
    ...(Object.fromEntries(methods) as unknown as Asynchronous<FarmTable>),
    pid: child.pid ?? 0,
    stop: () => void child.kill(),
  };
}

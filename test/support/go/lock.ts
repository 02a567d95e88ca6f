/** Runs some work in one process at a time, by a lock file. */
import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 20 * 60_000;

/** The work must be idempotent: a lock with a dead owner, or that is held for too long, is ignored. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await takeLock(path)) && Date.now() < deadline) {
    if (await ownerIsGone(path)) await rm(path, { force: true });
    else await sleep(250);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function takeLock(path: string): Promise<boolean> {
  // A link makes the lock appear together with its content, so that a lock always has an owner.
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

async function ownerIsGone(path: string): Promise<boolean> {
  const owner = await readFile(path, "utf8").catch(() => undefined);
  if (owner === undefined) return false;
  try {
    process.kill(Number(owner), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

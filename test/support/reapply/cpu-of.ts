/** CPU that processes have used so far: their ids in, milliseconds out. */
import { readFileSync } from "node:fs";

/** Of the kernel's clock, on Linux. */
const TICK_MS = 10;

export function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // utime and stime, the 14th and 15th of proc(5).
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

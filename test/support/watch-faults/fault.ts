/** A fault: what is done in words, and the doing of it, which proves what it must and says what became of it. */
import type { HostedCluster } from "./hosted-cluster.ts";

interface FaultCase {
  readonly done: string;
  readonly act: (cluster: HostedCluster) => Promise<string>;
}

/** By their names, in the order of trying them. */
export type FaultCases = Readonly<Record<string, FaultCase>>;

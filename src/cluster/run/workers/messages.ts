/** What the main thread and a worker tell each other: plain data, and of a pass figures only. */
import type { FoundCluster } from "../../discover/hosted-clusters.ts";
import type { EndedPass } from "../../fleet/fleet-state.ts";
import type { Phase } from "../../fleet/fleet.ts";
import type { LogEntry } from "../../objects/log-entry.ts";
import type { DiscoverSpec } from "../found-cluster.ts";

/** What a worker is started with. */
export interface WorkerTask {
  readonly discover: DiscoverSpec;
  readonly intervalMs: number;
  /** Passes at once in this worker. */
  readonly concurrency: number;
  /** How many there are: a cluster's own is a hash of its namespace. */
  readonly shards: number;
  /** Of all workers. */
  readonly fence: SharedArrayBuffer;
  /** Of this worker: what it says of itself without a message. */
  readonly vitals: SharedArrayBuffer;
  readonly memoryMiB: number;
  /** The text of the catalogue that the package ships. */
  readonly catalogue: string;
}

export type ToWorker =
  | { readonly kind: "begin"; readonly cluster: FoundCluster }
  | { readonly kind: "end" | "news" | "credentials"; readonly namespace: string };

export type RequestCounts = Readonly<Record<string, number>>;

export type FromWorker =
  | { readonly kind: "log"; readonly entries: readonly LogEntry[] }
  | { readonly kind: "unread"; readonly reason: string }
  | ({ readonly namespace: string } & (
      | { readonly kind: "phase"; readonly phase: Phase; readonly nextRun: Date | undefined }
      | { readonly kind: "started" }
      | { readonly kind: "ended"; readonly pass: EndedPass }
      | { readonly kind: "took"; readonly seconds: number }
      | { readonly kind: "requests"; readonly guest: RequestCounts; readonly management: RequestCounts }
      /** Nothing is under way for it any more. */
      | { readonly kind: "stopped" }
    ));

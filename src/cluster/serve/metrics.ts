/** The Prometheus metrics of the fleet. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { version } from "../../version.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { Candidate } from "../lease/candidate.ts";
import type { ClusterState, Fleet } from "../fleet/fleet.ts";

/** A client that counts its requests. */
type Counted = Pick<ClusterApi, "requests">;

interface MetricsInput {
  readonly fleet: Fleet;
  readonly clusters: () => readonly {
    readonly name: string;
    readonly guest: Counted;
    readonly management: Counted | undefined;
  }[];
  readonly lease: Candidate | undefined;
  readonly concurrency: number;
  readonly replica?: ReplicaFacts | undefined;
}

/** Metrics of a replica that discovers its clusters. */
export interface ReplicaFacts {
  /** The client for the requests to the management cluster that serve all clusters. */
  readonly discovery: ClusterApi;
  /** Undefined without sharding. */
  readonly shards:
    | {
        readonly api: ClusterApi;
        /** The number of shards of all replicas. */
        readonly count: number;
        readonly held: () => number;
        readonly replicas: () => number;
      }
    | undefined;
}

export interface Metrics {
  readonly contentType: string;
  readonly text: () => Promise<string>;
  /** Called at the end of each pass. */
  readonly took: (cluster: string, seconds: number) => void;
}

/** From a pass without changes to a pass that reaches its time limit. */
const DURATIONS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** With a higher resolution, the measurement itself would show in the result. */
const EVENT_LOOP_PRECISION_MS = 100;

const MODES = ["Apply", "Hold", "Permissive"] as const;

/** A cluster without a pass for so long counts as untried. */
const UNTRIED_MS = 15 * 60_000;

/** Reads the fleet's state at each scrape, so that deleted clusters have no metrics. */
export function fleetMetrics({ fleet, clusters, lease, concurrency, replica }: MetricsInput): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  const registers = [registry];

  /** @param each called for each cluster, with a function that sets its value */
  const perCluster = (
    make: typeof Gauge | typeof Counter,
    name: string,
    help: string,
    labels: readonly string[],
    each: (state: ClusterState, set: (value: number, labels?: Readonly<Record<string, string>>) => void) => void,
  ): void => {
    const metric = new make({
      name,
      help,
      registers,
      labelNames: ["cluster", ...labels],
      collect() {
        metric.reset();
        for (const state of fleet.clusters())
          each(state, (value, more) => metric.inc({ cluster: state.name, ...more }, value));
      },
    });
  };
  const single = (name: string, help: string, value: () => number): void => {
    const metric: Gauge = new Gauge({ name, help, registers, collect: () => metric.set(value()) });
  };
  const inPhase = (phase: ClusterState["phase"]) => fleet.clusters().filter((state) => state.phase === phase).length;

  const build = new Gauge({
    name: "anp_build_info",
    help: "Always 1; the version is a label.",
    labelNames: ["version"],
    registers,
  });
  build.set({ version }, 1);
  single("anp_concurrency", "Passes that may run at once.", () => concurrency);
  single("anp_running_passes", "Passes that are running.", () => inPhase("running"));
  single("anp_queue_depth", "Clusters whose pass is due and waits for others to end.", () => inPhase("queued"));
  if (lease !== undefined)
    single("anp_leader", "1 if this replica holds the lease, 0 if it is on standby.", () => Number(lease.isLeader()));

  const shards = replica?.shards;
  if (shards !== undefined) {
    single("anp_shards", "Shards of all replicas.", () => shards.count);
    single("anp_shards_held", "Shards that this replica holds.", shards.held);
    single("anp_replicas", "Replicas that share the same shards, as this one sees them.", shards.replicas);
  }

  perCluster(Counter, "anp_reconciles_total", "Completed passes, by result.", ["result"], ({ passes }, set) => {
    for (const [result, count] of Object.entries(passes)) set(count, { result });
  });
  perCluster(
    Gauge,
    "anp_cluster_result",
    "1 for the result of the last pass, or for untried if none ended for a quarter of an hour; 0 for the others.",
    ["result"],
    (state, set) => {
      const now = resultOf(state, Date.now());
      for (const result of now === undefined ? [] : RESULTS) set(Number(result === now), { result });
    },
  );
  perCluster(
    Counter,
    "anp_drift_corrected_fields_total",
    "Fields that other writers had changed and that were corrected.",
    [],
    ({ drift }, set) => set(drift),
  );
  perCluster(
    Counter,
    "anp_pruned_objects_total",
    "Objects deleted because their wrapper is gone.",
    [],
    ({ pruned }, set) => set(pruned),
  );
  perCluster(Gauge, "anp_last_reconcile_timestamp_seconds", "When the last pass ended.", [], ({ lastEnd }, set) => {
    if (lastEnd !== undefined) set(lastEnd.getTime() / 1000);
  });
  perCluster(
    Gauge,
    "anp_last_success_timestamp_seconds",
    "When the last pass with the result ok ended.",
    [],
    ({ lastSuccess }, set) => {
      if (lastSuccess !== undefined) set(lastSuccess.getTime() / 1000);
    },
  );
  perCluster(
    Gauge,
    "anp_policy_mode",
    "1 for the policy mode of the last pass, 0 for the others.",
    ["mode"],
    ({ figures }, set) => {
      for (const mode of figures === undefined ? [] : MODES) set(Number(figures?.mode === mode), { mode });
    },
  );
  perCluster(
    Gauge,
    "anp_policy_ready",
    "Whether the policy has reached every pool and class (1 or 0), with the reason.",
    ["reason"],
    ({ figures }, set) => {
      if (figures !== undefined) set(Number(figures.ready.status === "True"), { reason: figures.ready.reason });
    },
  );
  perCluster(
    Gauge,
    "anp_objects",
    "Objects after the last pass, by kind and state.",
    ["kind", "state"],
    ({ figures }, set) => {
      for (const { kind, state, count } of figures?.objects ?? []) set(count, { kind, state });
    },
  );
  perCluster(
    Gauge,
    "anp_nodepools",
    "Applied NodePools after the last pass, by verdict.",
    ["verdict"],
    ({ figures }, set) => {
      for (const [verdict, count] of Object.entries(figures?.verdicts ?? {})) set(count, { verdict });
    },
  );
  perCluster(
    Gauge,
    "anp_nodepools_outside_policy",
    "NodePools after the last pass that the policy does not reach.",
    [],
    ({ figures }, set) => {
      if (figures?.outside !== undefined) set(figures.outside);
    },
  );
  perCluster(
    Gauge,
    "anp_nodepool_nodes",
    "NodeClaims of a pool with a Hard limit on nodes when the last pass counted them.",
    ["nodepool"],
    ({ figures }, set) => {
      for (const { pool, nodes } of figures?.limits ?? []) if (nodes !== undefined) set(nodes, { nodepool: pool });
    },
  );
  perCluster(
    Gauge,
    "anp_nodepool_node_limit",
    "The Hard limit on nodes of a pool.",
    ["nodepool"],
    ({ figures }, set) => {
      for (const { pool, limit } of figures?.limits ?? []) set(limit, { nodepool: pool });
    },
  );
  perCluster(Gauge, "anp_findings", "Findings in the input of the last pass.", ["severity"], ({ figures }, set) => {
    for (const [severity, count] of Object.entries(figures?.findings ?? {})) set(count, { severity });
  });

  const requests = new Counter({
    name: "anp_api_requests_total",
    help: "Requests to API servers; side is management, guest or lease.",
    labelNames: ["cluster", "side", "verb"],
    registers,
    collect() {
      requests.reset();
      const count = (cluster: string, side: string, api: Counted | undefined): void => {
        for (const [verb, number] of Object.entries(api?.requests() ?? {}))
          requests.inc({ cluster, side, verb }, number);
      };
      for (const { name, guest, management } of clusters()) {
        count(name, "guest", guest);
        count(name, "management", management);
      }
      count("", "management", replica?.discovery);
      count("", "lease", lease?.api ?? replica?.shards?.api);
    },
  });
  const durations: Histogram = new Histogram({
    name: "anp_reconcile_duration_seconds",
    help: "How long passes took.",
    labelNames: ["cluster"],
    buckets: DURATIONS,
    registers,
    collect: () => forgetGone(),
  });
  const measured = new Set<string>();
  const forgetGone = (): void => {
    const there = new Set(fleet.clusters().map(({ name }) => name));
    for (const cluster of measured.difference(there)) {
      durations.remove({ cluster });
      measured.delete(cluster);
    }
  };
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    took: (cluster, seconds) => {
      // Also without any scrape, because the set would grow for ever.
      if (!measured.has(cluster)) forgetGone();
      measured.add(cluster);
      durations.observe({ cluster }, seconds);
    },
  };
}

const RESULTS = ["ok", "held", "failed", "untried"] as const;

/** Undefined for a cluster of another replica, and for a paused one. */
export function resultOf(
  { phase, isPaused, figures, lastEnd, passes }: ClusterState,
  now: number,
): (typeof RESULTS)[number] | undefined {
  if (phase === "standby" || isPaused) return undefined;
  const begun = passes.ok + passes.held + passes.failed > 0;
  if (!begun || lastEnd === undefined) return phase === "starting" ? undefined : "untried";
  return now - lastEnd.getTime() > UNTRIED_MS ? "untried" : (figures?.result ?? "failed");
}

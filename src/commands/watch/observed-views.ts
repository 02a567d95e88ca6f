/** What is observed of a watch in, what the dashboard and the table show of it out. */
import type { GuestSight, ObservedCluster, ObservedFleet, ToldEvent } from "../../cluster/observe/observed.ts";
import { counted } from "../../krm/counted.ts";
import type { ClusterView, FleetView, LogLine, OpenedCluster, PassView } from "../../report/dashboard/fleet-view.ts";
import { type Asked, countsOf } from "./dashboard-clusters.ts";

export interface ViewOptions extends Asked {
  readonly now: number;
}

/** What was found out of a cluster that somebody opened is kept as long as its guest cluster is not read again. */
export type OpenedSights = WeakMap<GuestSight, OpenedCluster>;

export function observedView(
  { isAsked, clusters, replicas, problems }: ObservedFleet,
  { now, catalogue, inOrder = (all) => all, ...asked }: ViewOptions,
  sights: OpenedSights,
): FleetView {
  const living = replicas.filter(({ lives }) => lives).length;
  return {
    now,
    clusters: inOrder(clusters.map((cluster) => viewOf(cluster, { catalogue, ...asked }, sights))),
    leader: undefined,
    stopping: false,
    log: logOf(clusters),
    observed: { isAsked, replicas: replicas.length === 0 ? "" : counted(living, "replica"), problems },
    catalogue,
  };
}

function viewOf(cluster: ObservedCluster, asked: Omit<Asked, "inOrder">, sights: OpenedSights): ClusterView {
  const { name, hostedCluster, told, keeper, guest } = cluster;
  return {
    name,
    hostedCluster,
    phase: "waiting",
    isPaused: false,
    pass: passOf(cluster, asked, sights),
    elsewhere: {
      keeper: keeper.state === "works" ? `kept by ${keeper.replica}` : keeper.why,
      shortKeeper: keeper.state === "works" ? podOf(keeper.replica) : keeper.state,
      works: keeper.state === "unknown" ? undefined : keeper.state === "works",
      notes: told.notes,
      unread: guest.state === "read" ? undefined : guest.why,
    },
    broken: undefined,
    lastEnd: told.since?.getTime(),
    lastSuccess: undefined,
    nextRun: undefined,
    drift: 0,
    pruned: 0,
  };
}

/** The name of a replica ends with a number of its process, that of its pod with what tells it from the others. */
function podOf(replica: string): string {
  const pod = replica.replace(/_[0-9a-f-]{36}$|-[0-9a-f]{8}$/, "");
  return pod.includes("-") ? pod.slice(pod.lastIndexOf("-") + 1) : replica;
}

function passOf(cluster: ObservedCluster, asked: Omit<Asked, "inOrder">, sights: OpenedSights): PassView {
  const { told, guest, dryRun } = cluster;
  const sight = guest.state === "read" ? guest.sight : undefined;
  return {
    result: told.result,
    mode: told.mode,
    ready: told.ready ?? { status: "Unknown", reason: "unknown", message: "" },
    objects: sight && countsOf(sight),
    verdicts: sight?.verdicts ?? [],
    findings: sight?.findings ?? [],
    dryRun,
    opened: () => {
      if (sight === undefined) return openedUnread(cluster);
      const opened = sights.get(sight) ?? openedSight(sight, asked);
      sights.set(sight, opened);
      return opened;
    },
  };
}

function openedSight(sight: GuestSight, { catalogue, pricesFor }: Omit<Asked, "inOrder">): OpenedCluster {
  const { pools, nodeClasses, troubles } = sight.inspect(catalogue, pricesFor);
  return {
    pools: pools.map((pool) => ({ ...pool, lastChange: undefined })),
    nodeClasses: nodeClasses.map((one) => ({ ...one, lastChange: undefined })),
    troubles,
  };
}

/** By the inventory alone. */
function openedUnread({ made = [], guest }: ObservedCluster): OpenedCluster {
  const why = guest.state === "read" ? "" : `the guest cluster is not read: ${guest.why}`;
  const state = { words: "made by anp", why, tone: "calm" } as const;
  const facts = { state, lastChange: undefined, conditions: [] };
  const named = (kind: string) =>
    made
      .filter((object) => object.kind === kind)
      .map(({ name }) => name)
      .toSorted();
  return {
    pools: named("NodePool").map((name) => ({
      ...facts,
      name,
      judged: undefined,
      explained: () => undefined,
      unexplained: `Nobody can tell which instance types are left: ${why}.`,
      stay: () => undefined,
      nodeClass: "–",
      usage: [],
    })),
    nodeClasses: named("EC2NodeClass").map((name) => ({ ...facts, name, pools: [], found: [] })),
    troubles: [],
  };
}

/** What both clusters tell, in the order of the telling. */
function logOf(clusters: readonly ObservedCluster[]): LogLine[] {
  const lines = clusters.flatMap(({ name, events, guest }) =>
    [...events, ...(guest.state === "read" ? guest.sight.events : [])].map((event) => ({ name, event })),
  );
  return lines
    .toSorted((a, b) => a.event.at.getTime() - b.event.at.getTime())
    .slice(-KEPT)
    .map(({ name, event }) => lineOf(name, event));
}

const KEPT = 500;

/** `03:00:12 warn Held payments-eu OpenshiftNodePool web: …`, the time as in the log: in UTC. */
function lineOf(cluster: string, { at, type, reason, about, note, count }: ToldEvent): LogLine {
  const isWarning = type === "Warning";
  const head = [at.toISOString().slice(11, 19), ...(isWarning ? ["warn"] : []), reason, `cluster=${cluster}`, about];
  const times = count > 1 ? ` (${String(count)} times)` : "";
  return { cluster, level: isWarning ? "warn" : "info", text: `${head.join(" ")}: ${note}${times}` };
}

/** The columns of the list of clusters, for a width. */
import {
  OBJECT_WORDS,
  lastWords,
  nextWords,
  readyMessage,
  readyTone,
  readyWords,
  resultTone,
  totalOf,
} from "./cluster-words.ts";
import type { ClusterView, FleetView } from "./fleet-view.ts";
import { verdictCounts, verdictTone, worstVerdict } from "./verdict-words.ts";
import type { Column } from "../terminal/table.ts";

type ClusterColumn = Column<ClusterView>;

/** From this width on, every fact has a column of its own. */
const WIDE = 140;

/** On a wide terminal each count of objects has a column, and Ready shows its message. */
export function fleetColumns({ now }: Pick<FleetView, "now">, width: number): ClusterColumn[] {
  const name: ClusterColumn = { head: "CLUSTER", cell: ({ name: own }) => own, min: 12 };
  const policy: ClusterColumn = {
    head: "POLICY",
    cell: ({ pass }) => pass?.mode ?? "–",
    tone: ({ pass }) => (pass === undefined || pass.mode === "Apply" ? undefined : "warning"),
    min: 6,
    // If a policy is only partly enforced, Ready says so.
    goes: 0,
  };
  const ready: ClusterColumn = { head: "READY", cell: readyWords, tone: readyTone, min: 12 };
  const verdictsOf = ({ pass }: ClusterView) => pass?.verdicts ?? [];
  const pools: ClusterColumn = {
    head: "POOLS",
    // The worst verdict, and more of them if there is room; all are below the list.
    cell: (cluster) =>
      verdictCounts(verdictsOf(cluster))
        .slice(0, width < WIDE ? 1 : 2)
        .join(", ") || "–",
    tone: (cluster) => verdictTone(worstVerdict(verdictsOf(cluster))),
    min: 9,
  };
  const drift: ClusterColumn = {
    head: "DRIFT",
    cell: ({ drift: fields }) => String(fields),
    tone: ({ drift: fields }) => (fields === 0 ? "faint" : undefined),
    right: true,
    goes: 2,
  };
  const last: ClusterColumn = {
    head: "LAST",
    cell: (cluster) => lastWords(cluster, now),
    tone: resultTone,
    width: 10,
  };
  const next: ClusterColumn = {
    head: "NEXT",
    cell: (cluster) => nextWords(cluster, now),
    tone: ({ phase }) => (phase === "paused" ? "info" : undefined),
    width: 9,
  };
  if (width < WIDE) return [name, policy, ready, pools, OBJECTS, drift, last, next];
  const hostedCluster: ClusterColumn = { head: "NAMESPACE", cell: ({ hostedCluster: own }) => own, spare: true };
  const message: ClusterColumn = { head: "", cell: readyMessage, tone: () => "faint", min: 40, grows: true, goes: 3 };
  return [name, hostedCluster, policy, ready, pools, message, ...EACH_OBJECT, drift, last, next];
}

const OBJECTS: ClusterColumn = {
  head: "IN SYNC",
  cell: ({ pass }) => (pass === undefined ? "–" : `${String(pass.objects.inSync)}/${String(totalOf(pass.objects))}`),
  tone: ({ pass }) => {
    const worst = OBJECT_WORDS.findLast(([name]) => pass !== undefined && pass.objects[name] > 0);
    return worst?.[2];
  },
  right: true,
  goes: 1,
};

const EACH_OBJECT: readonly ClusterColumn[] = OBJECT_WORDS.map(([name, words, tone]) => ({
  head: words.toUpperCase(),
  cell: ({ pass }) => (pass === undefined ? "–" : String(pass.objects[name])),
  tone: ({ pass }) => ((pass?.objects[name] ?? 0) === 0 ? "faint" : tone),
  right: true,
}));

/** The columns of the list of clusters, for a width. */
import {
  OBJECT_WORDS,
  objectNames,
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

/** From here on everything has a column of its own. */
const WIDE = 140;

/** Where there is room the objects have a column each, and Ready its message. */
export function fleetColumns({ now, observed }: Pick<FleetView, "now" | "observed">, width: number): ClusterColumn[] {
  const name: ClusterColumn = { head: "CLUSTER", cell: ({ name: own }) => own, min: 12 };
  const policy: ClusterColumn = {
    head: "POLICY",
    cell: ({ pass }) => pass?.mode ?? "–",
    tone: ({ pass }) => (pass === undefined || pass.mode === "Apply" ? undefined : "warning"),
    min: 6,
    // Where nothing is enforced but by half, Ready tells of it.
    goes: 0,
  };
  const ready: ClusterColumn = { head: "READY", cell: readyWords, tone: readyTone, min: 12 };
  const verdictsOf = ({ pass }: ClusterView) => pass?.verdicts ?? [];
  const pools: ClusterColumn = {
    head: "POOLS",
    // The worst, and where there is room what comes next; all of them stand below.
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
  const isObserved = observed !== undefined;
  const last: ClusterColumn = {
    head: isObserved ? "SINCE" : "LAST",
    cell: (cluster) => lastWords(cluster, now),
    tone: resultTone,
    width: isObserved ? 11 : 10,
  };
  const next: ClusterColumn = {
    head: "NEXT",
    cell: (cluster) => nextWords(cluster, now),
    tone: ({ phase }) => (phase === "paused" ? "info" : undefined),
    width: 9,
  };
  const keeper: ClusterColumn = {
    head: "KEEPER",
    cell: ({ elsewhere }) => (width < WIDE ? elsewhere?.shortKeeper : elsewhere?.keeper) ?? "–",
    tone: ({ elsewhere }) => (elsewhere?.works === false ? "error" : undefined),
    min: 7,
    goes: 2,
  };
  const ends = isObserved ? [last, keeper] : [drift, last, next];
  if (width < WIDE) return [name, policy, ready, pools, OBJECTS, ...ends];
  const hostedCluster: ClusterColumn = { head: "NAMESPACE", cell: ({ hostedCluster: own }) => own, spare: true };
  const message: ClusterColumn = { head: "", cell: readyMessage, tone: () => "faint", min: 40, grows: true, goes: 3 };
  return [name, hostedCluster, policy, ready, pools, message, ...eachObject(isObserved), ...ends];
}

const OBJECTS: ClusterColumn = {
  head: "IN SYNC",
  cell: ({ pass }) =>
    pass?.objects === undefined ? "–" : `${String(pass.objects.inSync)}/${String(totalOf(pass.objects))}`,
  tone: ({ pass }) => {
    const worst = OBJECT_WORDS.findLast(([name]) => pass?.objects !== undefined && pass.objects[name] > 0);
    return worst?.[2];
  },
  right: true,
  goes: 1,
};

function eachObject(isObserved: boolean): readonly ClusterColumn[] {
  return objectNames(isObserved).map(([name, words, tone]) => ({
    head: words.toUpperCase(),
    cell: ({ pass }) => (pass?.objects === undefined ? "–" : String(pass.objects[name])),
    tone: ({ pass }) => ((pass?.objects?.[name] ?? 0) === 0 ? "faint" : tone),
    right: true,
  }));
}

/** Cuts the hosted clusters of a change into waves, by names, labels and shares. */
import { counted, someOf } from "../../krm/values/counted.ts";

/** The label of a HostedControlPlane or HostedCluster that names the wave of its cluster. */
export const WAVE_LABEL = "anp.hypershift.openshift.io/wave";

/** A hosted cluster that the change concerns. */
export interface LabelledCluster {
  readonly hostedCluster: string;
  /** Those of its HostedControlPlane and HostedCluster. */
  readonly labels: Readonly<Record<string, string>>;
}

interface Wave {
  /** The part of `--waves` that it is from. */
  readonly name: string;
  /** Namespaces, sorted. */
  readonly clusters: readonly string[];
}

/** A problem is a sentence for the user. */
export type Waves = readonly Wave[] | { readonly problem: string };

/**
 * Each cluster is in the first wave that takes it. A part is `rest`, a share such as `10%` (of all clusters, rounded up,
 * in the order of names), a number of clusters, a label `KEY=VALUE`, the namespace of a cluster, or the value of the
 * label `anp.hypershift.openshift.io/wave`.
 */
export function cutWaves(text: string, clusters: readonly LabelledCluster[]): Waves {
  const parts = text.split(",").map((part) => part.trim());
  const twice = parts.find((part, at) => parts.indexOf(part) !== at && countOf(part, 1) === undefined);
  if (twice !== undefined) return { problem: `--waves names ${JSON.stringify(twice)} twice` };
  let left = clusters.toSorted((a, b) => (a.hostedCluster < b.hostedCluster ? -1 : 1));
  const waves: Wave[] = [];
  for (const part of parts) {
    const takes = takenBy(part, left, clusters.length);
    const taken = new Set(left.filter(takes));
    // Clusters of earlier waves may have left none for a share.
    if (taken.size === 0 && part !== REST && countOf(part, clusters.length) === undefined)
      return { problem: problemOf(part, clusters) };
    left = left.filter((cluster) => !taken.has(cluster));
    if (taken.size > 0) waves.push({ name: part, clusters: [...taken].map(({ hostedCluster }) => hostedCluster) });
  }
  if (left.length === 0) return waves;
  const names = someOf(
    left.map(({ hostedCluster }) => hostedCluster),
    MOST,
  );
  return { problem: `${counted(left.length, "cluster is", "clusters are")} in no wave (${names}): end with ,rest` };
}

const REST = "rest";

/** At most this many clusters are named, and the others counted. */
const MOST = 5;

function takenBy(part: string, left: readonly LabelledCluster[], total: number): (cluster: LabelledCluster) => boolean {
  if (part === REST) return () => true;
  const count = countOf(part, total);
  if (count !== undefined) {
    const first = new Set(left.slice(0, count));
    return (cluster) => first.has(cluster);
  }
  const [key, value] = split(part);
  if (value !== undefined) return ({ labels }) => Object.hasOwn(labels, key) && labels[key] === value;
  return ({ hostedCluster, labels }) =>
    hostedCluster === part || (Object.hasOwn(labels, WAVE_LABEL) && labels[WAVE_LABEL] === part);
}

/** Undefined if the part is neither a share nor a number. */
function countOf(part: string, total: number): number | undefined {
  const [, digits, percent] = /^([1-9]\d{0,6})(%?)$/.exec(part) ?? [];
  if (digits === undefined) return undefined;
  return percent === "%" ? Math.ceil((total * Math.min(Number(digits), 100)) / 100) : Number(digits);
}

function split(part: string): readonly [key: string, value: string | undefined] {
  const at = part.indexOf("=");
  return at === -1 ? [part, undefined] : [part.slice(0, at), part.slice(at + 1)];
}

function problemOf(part: string, clusters: readonly LabelledCluster[]): string {
  const known = [...new Set(clusters.flatMap(({ labels }) => labels[WAVE_LABEL] ?? []))].toSorted();
  const values = known.length === 0 ? "no cluster has that label" : `its values are ${someOf(known, MOST)}`;
  return `--waves: ${JSON.stringify(part)} takes no cluster that is left: it is no share, no namespace of a cluster that changes, and no value of the label ${WAVE_LABEL} (${values})`;
}

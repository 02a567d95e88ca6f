/** Makes NodePools and node classes carry the guard that is in force: an empty patch of each. */
import type { NodeFacts } from "../../analyze/nodes/node-data.ts";
import { sameValue } from "../../krm/same-value.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { withoutServerFields } from "../../model/without-server-fields.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { ClusterError } from "../api/cluster-error.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { ServedKind } from "../api/served-kind.ts";
import { readNodes, troubleOf } from "../read/live-side.ts";
import { pause } from "../waiting/pause.ts";

export { askCluster } from "../read/live-side.ts";
export { endingSignal } from "../waiting/ending-signal.ts";

export interface Touchable {
  readonly kind: ServedKind;
  readonly before: KubeObject;
  /** What the API server makes of an empty patch, or the words that it refuses it with. */
  readonly after: KubeObject | { readonly refused: string };
  readonly carries: boolean;
}

export interface TouchPlan {
  readonly objects: readonly Touchable[];
  /** Those that are not touched, and say what the nodes of pools are. */
  readonly classes: readonly KubeObject[];
  /** Undefined where they may not be read. */
  readonly nodes: readonly NodeFacts[] | undefined;
  readonly notes: readonly string[];
}

const NODE_POOLS: ServedKind = { apiVersion: "karpenter.sh/v1", kind: "NodePool", plural: "nodepools" };
const CLASSES: ServedKind = { apiVersion: "karpenter.k8s.aws/v1", kind: "EC2NodeClass", plural: "ec2nodeclasses" };

/** Nothing is changed: each object is patched in a dry run, so that the answer is that of the policies themselves. */
export async function planTouch(api: ClusterApi, { withClasses }: { withClasses: boolean }): Promise<TouchPlan> {
  const objects: Touchable[] = [];
  // A pool names its class, so that classes come first.
  for (const kind of withClasses ? [CLASSES, NODE_POOLS] : [NODE_POOLS]) {
    const listed = await api.list(kind);
    if (!listed.ok) throw troubleOf(api, `reading ${kind.plural}`, listed.error);
    for (const live of listed.value.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined))
      objects.push(await tried(api, kind, live));
  }
  const notes: string[] = [];
  const classes = withClasses ? [] : await readClasses(api, notes);
  return { objects, classes, nodes: await readNodes(api, notes), notes };
}

async function readClasses(api: ClusterApi, notes: string[]): Promise<KubeObject[]> {
  const listed = await api.list(CLASSES);
  if (listed.ok) return listed.value.items.map(withoutServerFields);
  // Where none is served there is none.
  if (listed.error.kind !== "notFound")
    notes.push(`what node classes ask of nodes is not known: ${listed.error.message}`);
  return [];
}

async function tried(api: ClusterApi, kind: ServedKind, live: LiveObject): Promise<Touchable> {
  const before = withoutServerFields(live);
  const answer = await api.patch(kind, live.metadata.name, {}, { dryRun: true });
  if (answer.ok) {
    const after = withoutServerFields(answer.value);
    return { kind, before, after, carries: sameValue(before, after) };
  }
  if (answer.error.kind !== "invalid") throw troubleOf(api, `trying ${kind.kind} ${live.metadata.name}`, answer.error);
  return { kind, before, after: { refused: answer.error.message }, carries: false };
}

interface Touching {
  readonly perMinute: number;
  readonly signal: AbortSignal;
  /** After each, with the words of a refusal. */
  readonly tell: (object: Touchable, refused: string | undefined) => void;
}

/** One after the other; a refusal leaves the object as it is, and the others go on. */
export async function touch(api: ClusterApi, objects: readonly Touchable[], touching: Touching): Promise<void> {
  const { perMinute, signal, tell } = touching;
  for (const [index, object] of objects.entries()) {
    if (index > 0) await pause(60_000 / perMinute, signal);
    if (signal.aborted) throw new ClusterError("stopped before the end: what is left carries what it carried");
    const { kind, before } = object;
    const answer = await api.patch(kind, before.metadata.name, {});
    // Whoever has deleted it since wanted it so.
    const isOver = answer.ok || answer.error.kind === "notFound";
    if (!isOver && answer.error.kind !== "invalid")
      throw troubleOf(api, `touching ${kind.kind} ${before.metadata.name}`, answer.error);
    tell(object, isOver ? undefined : answer.error.message);
  }
}

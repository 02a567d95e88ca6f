/** Touches NodePools and node classes with an empty patch, so that the guard changes them. */
import type { NodeFacts } from "../../analyze/nodes/node-data.ts";
import { sameValue } from "../../krm/values/canonical.ts";
import { appliedKind } from "../../model/objects/applied-kinds.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { withoutServerFields } from "../../model/objects/without-server-fields.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { ClusterError } from "../api/api-answer.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { ServedKind } from "../api/served-kind.ts";
import { deletionWords } from "../../model/objects/being-deleted.ts";
import { clusterErrorOf, readNodes } from "../read/live-side.ts";
import { pause } from "../waiting/pause.ts";

export interface Touchable {
  readonly kind: ServedKind;
  readonly before: KubeObject;
  /** The result of an empty patch, or the message of the API server that refuses it. */
  readonly after: KubeObject | { readonly refused: string };
  readonly carries: boolean;
}

export interface TouchPlan {
  readonly objects: readonly Touchable[];
  /** Node classes that are not touched, for the nodes of pools. */
  readonly classes: readonly KubeObject[];
  /** Undefined if the user may not read them. */
  readonly nodes: readonly NodeFacts[] | undefined;
  readonly notes: readonly string[];
}

const NODE_POOLS = appliedKind("NodePool");
const CLASSES = appliedKind("EC2NodeClass");

/** Changes nothing: a dry run of each patch shows what the admission policies would do. */
export async function planTouch(api: ClusterApi, { withClasses }: { withClasses: boolean }): Promise<TouchPlan> {
  const objects: Touchable[] = [];
  const notes: string[] = [];
  // Pools refer to classes, so classes come first.
  for (const kind of withClasses ? [CLASSES, NODE_POOLS] : [NODE_POOLS]) {
    const listed = await api.list(kind);
    if (!listed.ok) throw clusterErrorOf(api, `reading ${kind.plural}`, listed.error);
    for (const live of listed.value.items) {
      const object = await tried(api, kind, live);
      if (object === undefined) continue;
      objects.push(object);
      const deletion = deletionWords(live);
      if (deletion !== undefined) notes.push(`${kind.kind} ${live.metadata.name} counts until it is gone: ${deletion}`);
    }
  }
  const classes = withClasses ? [] : await readClasses(api, notes);
  return { objects, classes, nodes: await readNodes(api, notes), notes };
}

async function readClasses(api: ClusterApi, notes: string[]): Promise<KubeObject[]> {
  const listed = await api.list(CLASSES);
  if (listed.ok) return listed.value.items.map(withoutServerFields);
  // A cluster that does not serve the kind has none.
  if (listed.error.kind !== "notFound")
    notes.push(`the requirements of node classes are unknown: ${listed.error.message}`);
  return [];
}

/** Undefined if it was deleted since it was listed. */
async function tried(api: ClusterApi, kind: ServedKind, live: LiveObject): Promise<Touchable | undefined> {
  const before = withoutServerFields(live);
  const answer = await api.patch(kind, live.metadata.name, {}, { dryRun: true });
  if (answer.ok) {
    const after = withoutServerFields(answer.value);
    return { kind, before, after, carries: sameValue(before, after) };
  }
  if (answer.error.kind === "notFound") return undefined;
  if (answer.error.kind !== "invalid")
    throw clusterErrorOf(api, `trying ${kind.kind} ${live.metadata.name}`, answer.error);
  return { kind, before, after: { refused: answer.error.message }, carries: false };
}

interface Touching {
  readonly perMinute: number;
  readonly signal: AbortSignal;
  /** Called after each object, with the message of a refusal. */
  readonly report: (object: Touchable, refused: string | undefined) => void;
}

/** One after the other. A refusal leaves the object unchanged, and the next one follows. */
export async function touch(api: ClusterApi, objects: readonly Touchable[], touching: Touching): Promise<void> {
  const { perMinute, signal, report } = touching;
  for (const [index, object] of objects.entries()) {
    if (index > 0) await pause(60_000 / perMinute, signal);
    if (signal.aborted) throw new ClusterError("stopped before the end: the remaining objects are not touched");
    const { kind, before } = object;
    const answer = await api.patch(kind, before.metadata.name, {});
    // An object that was deleted since needs no touch.
    const isOver = answer.ok || answer.error.kind === "notFound";
    if (!isOver && answer.error.kind !== "invalid")
      throw clusterErrorOf(api, `touching ${kind.kind} ${before.metadata.name}`, answer.error);
    report(object, isOver ? undefined : answer.error.message);
  }
}

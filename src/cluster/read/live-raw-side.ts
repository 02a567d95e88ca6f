/** Compares Karpenter's objects in files with a cluster: live, and as a dry run writes them. */
import { idIn } from "../../analyze/diff/sides.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { appliedKind } from "../../model/objects/applied-kinds.ts";
import { carriesMarks } from "../../model/objects/marks.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { identityOf, type LiveObject } from "../api/live-object.ts";
import { type ServedKind, WRAPPER_KINDS } from "../api/served-kind.ts";
import { withoutServerFields } from "../../model/objects/without-server-fields.ts";
import {
  askCluster,
  itemsOf,
  type LiveOptions,
  type LiveSide,
  nameOf,
  readNodes,
  clusterErrorOf,
} from "./live-side.ts";
import { isRefusedToUser, notAskedSentences, type RefusedDryRun, replacedIn } from "./without-dry-run.ts";

/** `hosted` for a hosted cluster, where no policy would reach the objects. Changes nothing in the cluster. */
export function readLiveRawSide(
  written: readonly KubeObject[],
  options: LiveOptions,
): Promise<LiveSide | "hosted" | { readonly problem: string }> {
  return askCluster(options, (api) => ask(api, written, options.withNodes));
}

/**
 * Objects that only the cluster has are on both sides: the files do not ask to delete them, and live pools use their
 * classes.
 */
async function ask(api: ClusterApi, written: readonly KubeObject[], withNodes: boolean): Promise<LiveSide | "hosted"> {
  const kinds = new Map(
    [appliedKind("NodePool"), ...written.map(servedBy)].map((kind) => [`${kind.apiVersion}/${kind.kind}`, kind]),
  );
  const lists = await Promise.all(
    [...kinds.values()].map(async (kind) => itemsOf(api, kind, await api.list(kind), written)),
  );
  const live = lists.flat();
  if (live.some(carriesMarks) || (await holdsWrappers(api))) return "hosted";
  const before = new Map(live.map((object) => [idIn(object), withoutServerFields(object)]));
  const after = new Map(before);
  const byId = new Map(live.map((object) => [idIn(object), object]));
  const refused: RefusedDryRun[] = [];
  for (const object of written) after.set(idIn(object), await asWritten(api, object, byId.get(idIn(object)), refused));
  const notes: string[] = [];
  const nodes = withNodes ? await readNodes(api, notes) : undefined;
  const notAsked = notAskedSentences(refused);
  return { before: [...before.values()], after: [...after.values()], wrappers: new Map(), nodes, notes, notAsked };
}

/** All plurals of Karpenter's kinds are regular. */
function servedBy({ apiVersion, kind }: KubeObject): ServedKind {
  const name = kind.toLowerCase();
  return { apiVersion, kind, plural: `${name}${name.endsWith("s") ? "es" : "s"}` };
}

/** False if the user may not list them. */
async function holdsWrappers(api: ClusterApi): Promise<boolean> {
  const answers = await Promise.all(WRAPPER_KINDS.map((kind) => api.list(kind)));
  return answers.some((answer) => answer.ok && answer.value.items.length > 0);
}

/**
 * The dry run replaces the spec, because applying would keep fields that other managers own and the difference would look
 * too small. User data is a secret and is never sent.
 */
async function asWritten(
  api: ClusterApi,
  object: KubeObject,
  live: LiveObject | undefined,
  refused: RefusedDryRun[],
): Promise<KubeObject> {
  const { userData, ...spec } = object.spec;
  const kind = servedBy(object);
  const answer =
    live === undefined
      ? await api.apply(kind, { ...object, spec }, { dryRun: true, force: true })
      : await api.replaceSpec(kind, identityOf(live), spec, { dryRun: true });
  if (!answer.ok) {
    if (!isRefusedToUser(answer.error))
      throw clusterErrorOf(api, `a dry run of writing ${nameOf(object)}`, answer.error);
    refused.push({ name: nameOf(object), message: answer.error.message });
  }
  // A new object is shown as it is written, without defaults of the server.
  if (live === undefined) return object;
  const { metadata, spec: made } = withoutServerFields(
    answer.ok ? answer.value : { ...live, spec: replacedIn(live, spec) },
  );
  const labels = { ...metadata.labels, ...object.metadata.labels };
  const annotations = { ...metadata.annotations, ...object.metadata.annotations };
  return {
    ...object,
    metadata: {
      name: metadata.name,
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: userData === undefined ? made : { ...made, userData },
  };
}

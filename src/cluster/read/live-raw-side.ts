/** Karpenter's own objects of files in a cluster: how they stand there, and as written. */
import { idIn } from "../../analyze/diff/sides-by-id.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { carriesMarks } from "../../model/marks.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { identityOf, type LiveObject } from "../api/live-object.ts";
import { OPENSHIFT_EC2_NODE_CLASSES, OPENSHIFT_NODE_POOLS, type ServedKind } from "../api/served-kind.ts";
import { withoutServerFields } from "../../model/without-server-fields.ts";
import { askCluster, itemsOf, type LiveOptions, type LiveSide, nameOf, readNodes, troubleOf } from "./live-side.ts";

/** `hosted` where the cluster is one: there no policy would reach the objects. Nothing is changed in the cluster. */
export function readLiveRawSide(
  written: readonly KubeObject[],
  options: LiveOptions,
): Promise<LiveSide | "hosted" | { readonly problem: string }> {
  return askCluster(options, (api) => ask(api, written, options.withNodes));
}

/**
 * What the cluster has beside the files stands on both sides: nobody said that it is to go, and the classes that its
 * pools name are in use.
 */
async function ask(api: ClusterApi, written: readonly KubeObject[], withNodes: boolean): Promise<LiveSide | "hosted"> {
  const kinds = new Map([NODE_POOL, ...written.map(servedBy)].map((kind) => [`${kind.apiVersion}/${kind.kind}`, kind]));
  const lists = await Promise.all(
    [...kinds.values()].map(async (kind) => itemsOf(api, kind, await api.list(kind), written)),
  );
  const live = lists.flat();
  if (live.some(carriesMarks) || (await holdsWrappers(api))) return "hosted";
  const before = new Map(live.map((object) => [idIn(object), withoutServerFields(object)]));
  const after = new Map(before);
  const byId = new Map(live.map((object) => [idIn(object), object]));
  for (const object of written) after.set(idIn(object), await asWritten(api, object, byId.get(idIn(object))));
  const notes: string[] = [];
  const nodes = withNodes ? await readNodes(api, notes) : undefined;
  return { before: [...before.values()], after: [...after.values()], wrappers: new Map(), nodes, notes };
}

const NODE_POOL: ServedKind = { apiVersion: "karpenter.sh/v1", kind: "NodePool", plural: "nodepools" };

/** Karpenter's kinds have the plural that their names ask for. */
function servedBy({ apiVersion, kind }: KubeObject): ServedKind {
  const name = kind.toLowerCase();
  return { apiVersion, kind, plural: `${name}${name.endsWith("s") ? "es" : "s"}` };
}

/** Who may not list them cannot be told; a cluster that does not serve them has none. */
async function holdsWrappers(api: ClusterApi): Promise<boolean> {
  const answers = await Promise.all([OPENSHIFT_NODE_POOLS, OPENSHIFT_EC2_NODE_CLASSES].map((kind) => api.list(kind)));
  return answers.some((answer) => answer.ok && answer.value.items.length > 0);
}

/**
 * A dry run makes the spec that of the file, whoever owned what stood there: applying would leave fields that somebody
 * else set, and the difference would look smaller than it is. The user data is a secret and goes nowhere.
 */
async function asWritten(api: ClusterApi, object: KubeObject, live: LiveObject | undefined): Promise<KubeObject> {
  const { userData, ...spec } = object.spec;
  const kind = servedBy(object);
  const answer =
    live === undefined
      ? await api.apply(kind, { ...object, spec }, { dryRun: true, force: true })
      : await api.replaceSpec(kind, identityOf(live), spec, { dryRun: true });
  if (!answer.ok) throw troubleOf(api, `a dry run of writing ${nameOf(object)}`, answer.error);
  // What is new is shown as it is written, without what the server adds.
  if (live === undefined) return object;
  const { metadata, spec: made } = withoutServerFields(answer.value);
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

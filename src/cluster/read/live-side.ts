/** Compares rendered objects with a cluster: live, and as applying would change them. */
import { type NodeFacts, readNodeData } from "../../analyze/nodes/node-data.ts";
import { describeResource } from "../../krm/places/resource.ts";
import { idOf, type KubeObject } from "../../model/objects/kube-object.ts";
import { carriesMarks } from "../../model/objects/marks.ts";
import { type Answer, type ApiError, ClusterError } from "../api/api-answer.ts";
import type { ClusterApi, Listed } from "../api/cluster-api.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import type { LiveObject } from "../api/live-object.ts";
import {
  crdNameOf,
  NODE_CLAIMS,
  NODES,
  POD_DISRUPTION_BUDGETS,
  PODS,
  type ServedKind,
  WRAPPER_KINDS,
} from "../api/served-kind.ts";
import { withoutAppended } from "../objects/appended-budget.ts";
import { withoutSet } from "../objects/membership.ts";
import { withoutServerFields } from "../../model/objects/without-server-fields.ts";
import { ADMISSION_GROUP, APPLIED_KINDS, appliedKind, renderedIdOf } from "../../model/objects/applied-kinds.ts";
import { appliedTo, isRefusedToUser, notAskedSentences, type RefusedDryRun } from "./without-dry-run.ts";

export interface LiveSide {
  /** The live objects that anp renders, or rendered before. */
  readonly before: readonly KubeObject[];
  /** The result of applying the rendered objects. */
  readonly after: readonly KubeObject[];
  /** Live wrappers, by the id of their rendered object; empty if the user may not read them. */
  readonly wrappers: ReadonlyMap<string, LiveObject>;
  /** Undefined if the user may not read them. */
  readonly nodes: readonly NodeFacts[] | undefined;
  readonly notes: readonly string[];
  /** What the API server was not asked, and what that means. */
  readonly notAsked: readonly string[];
}

export interface LiveOptions extends KubeAccessOptions {
  readonly withNodes: boolean;
}

/** Changes nothing in the cluster. */
export function readLiveSide(
  rendered: readonly KubeObject[],
  options: LiveOptions,
): Promise<LiveSide | { readonly problem: string }> {
  return askCluster(options, (api) => ask(api, rendered, options.withNodes));
}

/** Returns the problem, in one line, if the cluster cannot answer. */
export async function askCluster<T>(
  options: KubeAccessOptions,
  question: (api: ClusterApi) => Promise<T>,
): Promise<T | { readonly problem: string }> {
  let api: ClusterApi | undefined;
  try {
    // `anp mcp` runs with node's permissions: only if all files may be read, its operator has given `--allow-exec`.
    const isOwn = process.permission?.has("fs.read") ?? true;
    api = httpClusterApi({ ...options, isOwn });
    return await question(api);
  } catch (error) {
    if (error instanceof ClusterError) return { problem: error.message };
    throw error;
  } finally {
    api?.close();
  }
}

async function ask(api: ClusterApi, rendered: readonly KubeObject[], withNodes: boolean): Promise<LiveSide> {
  const notes: string[] = [];
  const answers = await Promise.all(APPLIED_KINDS.map((kind) => api.list(kind)));
  const unread = APPLIED_KINDS.flatMap(({ kind, group }, index) => {
    const answer = answers[index]!;
    return answer.ok || group !== ADMISSION_GROUP || answer.error.kind !== "forbidden"
      ? []
      : [{ kind, message: answer.error.message }];
  });
  const isRead = ({ kind }: { readonly kind: string }): boolean => unread.every((one) => one.kind !== kind);
  const compared = rendered.filter(isRead);
  const lists = APPLIED_KINDS.flatMap((kind, index) =>
    isRead(kind) ? itemsOf(api, kind, answers[index]!, compared) : [],
  );
  const live = new Map(lists.map((object) => [idOf(object), object]));
  const wanted = new Set(compared.map(idOf));
  const before = [...live.values()].filter((object) => wanted.has(idOf(object)) || carriesMarks(object));
  const after: KubeObject[] = [];
  const refused: RefusedDryRun[] = [];
  for (const object of compared) {
    const old = live.get(idOf(object));
    if (old !== undefined && !carriesMarks(old))
      notes.push(`${nameOf(object)} is in the cluster, and anp did not create it: applying takes it over`);
    const result = await dryRun(api, object, notes, refused);
    // A new object is shown as it is written, without defaults of the server.
    after.push(old === undefined ? object : withoutServerFields(result ?? appliedTo(old, object)));
  }
  const nodes = withNodes ? await readNodes(api, notes) : undefined;
  const plain = before.map(withoutServerFields).map(withoutWatch);
  const notAsked = [
    ...unread.map(({ kind, message }) => `objects of kind ${kind} are not compared: ${message}`),
    ...notAskedSentences(refused),
  ];
  return { before: plain, after: after.map(withoutWatch), wrappers: await readWrappers(api), nodes, notes, notAsked };
}

/** Optional: without them, the note on fields that cannot be compared stays. */
async function readWrappers(api: ClusterApi): Promise<Map<string, LiveObject>> {
  const wrappers = new Map<string, LiveObject>();
  for (const kind of WRAPPER_KINDS.toReversed()) {
    const answer = await api.list(kind);
    for (const wrapper of answer.ok ? answer.value.items : [])
      wrappers.set(renderedIdOf(kind.kind, wrapper.metadata.name), wrapper);
  }
  return wrappers;
}

/** The watch's own additions are not a difference: its next pass adds them again. */
function withoutWatch(object: KubeObject): KubeObject {
  return withoutSet(withoutAppended(object));
}

/**
 * Empty if the cluster does not serve the kind and no such object is wanted.
 *
 * @throws ClusterError for any other error of the list
 */
export function itemsOf(
  api: ClusterApi,
  { apiVersion, kind, plural }: ServedKind,
  answer: Answer<Listed>,
  wanted: readonly KubeObject[],
): readonly LiveObject[] {
  if (answer.ok) return answer.value.items;
  if (answer.error.kind !== "notFound") throw clusterErrorOf(api, `listing ${plural}`, answer.error);
  if (!wanted.some((object) => object.kind === kind)) return [];
  const crd = crdNameOf({ apiVersion, kind, plural });
  throw new ClusterError(`${api.server} serves no ${kind} of ${apiVersion}: install the CRD ${crd}`);
}

/** Undefined, and noted in `refused`, if the user may not ask for it. */
async function dryRun(
  api: ClusterApi,
  object: KubeObject,
  notes: string[],
  refused: RefusedDryRun[],
): Promise<LiveObject | undefined> {
  const apply = (force: boolean) => api.apply(appliedKind(object.kind), object, { dryRun: true, force });
  let answer = await apply(false);
  if (!answer.ok && answer.error.kind === "conflict") {
    notes.push(`${nameOf(object)}: applying it changes fields of other managers: ${answer.error.message}`);
    answer = await apply(true);
  }
  if (answer.ok) return answer.value;
  if (isRefusedToUser(answer.error)) {
    refused.push({ name: nameOf(object), message: answer.error.message });
    return undefined;
  }
  throw clusterErrorOf(api, `a dry run of applying ${nameOf(object)}`, answer.error);
}

/** Node counts are optional: a user who may not read nodes still gets the changes. */
export async function readNodes(api: ClusterApi, notes: string[]): Promise<NodeFacts[] | undefined> {
  const found: LiveObject[] = [];
  for (const kind of [NODE_CLAIMS, NODES]) {
    const answer = await api.list(kind);
    if (!answer.ok) {
      const { kind: error, message } = answer.error;
      notes.push(`nodes are not counted: ${error === "notFound" ? `the cluster serves no ${kind.kind}` : message}`);
      return undefined;
    }
    found.push(...answer.value.items);
  }
  found.push(...(await readHolders(api, notes)));
  return readNodeData(found.map((value) => ({ ...value, name: value.metadata.name, value: { ...value } })));
}

/** Pods and budgets may keep nodes. Without them the reason is unknown, and the times are still correct. */
async function readHolders(api: ClusterApi, notes: string[]): Promise<LiveObject[]> {
  const answers = await Promise.all([PODS, POD_DISRUPTION_BUDGETS].map((kind) => api.list(kind)));
  return answers.flatMap((answer) => {
    if (answer.ok) return answer.value.items;
    notes.push(`which nodes pods keep is unknown: ${answer.error.message}`);
    return [];
  });
}

/** Keeps the API server's message, because users search for it. */
export function clusterErrorOf(
  { server }: ClusterApi,
  what: string,
  { kind, status, message }: ApiError,
): ClusterError {
  if (status === undefined) return new ClusterError(message);
  return new ClusterError(`${server}: ${what}: ${message}${adviceOn(kind, message)}`);
}

function adviceOn(kind: ApiError["kind"], message: string): string {
  if (kind === "unauthorized") return "; the credentials of the kubeconfig are not accepted";
  if (message.includes("ValidatingAdmissionPolicy"))
    return "; use the credentials that apply the manifests, or name them in RenderConfig.spec.admission.allowedWriters";
  return message.includes("not declared in schema")
    ? "; the CRD of the cluster is of another version: see --profile"
    : "";
}

export function nameOf({ kind, metadata }: KubeObject): string {
  return describeResource({ kind, name: metadata.name });
}

/** A ClusterApi over HTTP: access to an API server in, the questions as requests out. */
import { type Answer, failed, succeeded, unreachable } from "./api-answer.ts";
import { type ClusterApi, FIELD_MANAGER } from "./cluster-api.ts";
import { discoverKinds } from "./discover-kinds.ts";
import { type DoorOptions, httpDoor, type HttpRequest, type JsonObject } from "./http-door.ts";
import { kubeAccess, type KubeAccessOptions } from "./kube-access.ts";
import type { Identity, LiveObject } from "./live-object.ts";
import { listPages, type PageSizes } from "./list-pages.ts";
import { objectOf } from "./object-of.ts";
import { type Collection, pathOf } from "./served-kind.ts";
import { watchStream } from "./watch-stream.ts";

export type HttpOptions = KubeAccessOptions & DoorOptions;

/**
 * Applying makes what is not there without a look at this, and changes only the object that has it (k8s.io/apiserver
 * `pkg/registry/generic/registry/store.go`, `Update`). etcd counts from 1, which is when it is empty.
 */
const OF_NO_OBJECT = "1";

const APPLY = "application/apply-patch+yaml";
const MERGE = "application/merge-patch+json";
const JSON_PATCH = "application/json-patch+json";

/** @throws ClusterError where the kubeconfig cannot be used */
export function httpClusterApi(options: HttpOptions): ClusterApi {
  const access = options.access ?? kubeAccess(options);
  const door = httpDoor(access, options);
  const counts: Record<string, number> = {};
  const sizes: PageSizes = new Map();
  const count = (verb: string): void => {
    counts[verb] = (counts[verb] ?? 0) + 1;
  };
  const send = (verb: string, request: HttpRequest): Promise<Answer<JsonObject>> => {
    count(verb);
    return door.send(request);
  };
  const write = async (verb: string, kind: Collection, request: HttpRequest): Promise<Answer<LiveObject>> => {
    const answer = await send(verb, request);
    return answer.ok ? succeeded(objectOf(answer.value, kind)) : answer;
  };
  /** It need not be there yet. Whoever changes the object again and again must not keep it from being set right. */
  const replaceField = (
    kind: Collection,
    { name, uid }: Identity,
    field: { path: string; value: unknown },
    dryRun: boolean,
  ) => {
    const body = [
      { op: "test", path: "/metadata/uid", value: uid },
      { op: "add", ...field },
    ];
    const path = `${pathOf(kind, name)}?${query({}, dryRun)}`;
    return write("patch", kind, { method: "PATCH", path, body, contentType: JSON_PATCH });
  };

  return {
    get server() {
      return access.server;
    },
    requests: () => ({ ...counts }),
    close: door.close,
    list: (kind, given = {}) => listPages(kind, given, (request) => send("list", { method: "GET", ...request }), sizes),
    discover: (isWanted) => discoverKinds(isWanted, (path) => send("get", { method: "GET", path })),
    get: async (kind, name) => {
      const answer = await send("get", { method: "GET", path: pathOf(kind, name) });
      if (answer.ok) return succeeded(objectOf(answer.value, kind));
      return answer.error.kind === "notFound" ? succeeded(undefined) : answer;
    },
    apply: (kind, object, { dryRun, force, uid, isNew = false }) => {
      const path = `${pathOf(kind, object.metadata.name)}?${query({ force: String(force) }, dryRun)}`;
      const only = { ...(uid === undefined ? {} : { uid }), ...(isNew ? { resourceVersion: OF_NO_OBJECT } : {}) };
      const body = { ...object, metadata: { ...object.metadata, ...only } };
      return write("apply", kind, { method: "PATCH", path, body, contentType: APPLY });
    },
    replaceSpec: (kind, identity, spec, { dryRun }) =>
      replaceField(kind, identity, { path: "/spec", value: spec }, dryRun),
    replaceManagedFields: (kind, identity, entries, { dryRun }) =>
      replaceField(kind, identity, { path: "/metadata/managedFields", value: entries }, dryRun),
    remove: async (kind, { name, uid, resourceVersion }, { dryRun }) => {
      const body = {
        apiVersion: "v1",
        kind: "DeleteOptions",
        preconditions: { uid, resourceVersion },
        // Without a garbage collector that may write here, anything else would wait for ever.
        propagationPolicy: "Background",
        ...(dryRun ? { dryRun: ["All"] } : {}),
      };
      const answer = await send("delete", { method: "DELETE", path: pathOf(kind, name), body });
      if (answer.ok || answer.error.kind === "notFound") return succeeded(true);
      return answer;
    },
    patchStatus: (kind, { name, uid, resourceVersion }, status) => {
      // A resourceVersion in the patch makes it fail where somebody else was first.
      const body = { metadata: { uid, resourceVersion }, status };
      const path = `${pathOf(kind, name)}/status?${query({}, false)}`;
      return write("patch", kind, { method: "PATCH", path, body, contentType: MERGE });
    },
    replace: (kind, object) => {
      const path = `${pathOf(kind, object.metadata.name)}?${query({}, false)}`;
      return write("update", kind, { method: "PUT", path, body: object });
    },
    create: (kind, object) => write("create", kind, { method: "POST", path: pathOf(kind), body: object }),
    patch: (kind, name, change, { dryRun } = { dryRun: false }) => {
      const path = `${pathOf(kind, name)}?${query({}, dryRun)}`;
      return write("patch", kind, { method: "PATCH", path, body: change, contentType: MERGE });
    },
    whoAmI: async () => {
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
      const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
      const answer = await send("create", { method: "POST", path, body });
      if (!answer.ok) return answer;
      const { userInfo } = (answer.value["status"] ?? {}) as { userInfo?: { username?: unknown } };
      const username = userInfo?.username;
      return typeof username === "string"
        ? succeeded(username)
        : failed(unreachable("the server does not say who we are"));
    },
    answers: async (withinMs) => {
      const answer = await send("version", { method: "GET", path: "/version", withinMs });
      return answer.ok || answer.error.status !== undefined;
    },
    isReady: async () => {
      count("readyz");
      // It answers in words, not in JSON.
      const answer = await door.open("/readyz", new AbortController().signal);
      if (answer.ok) answer.value.resume();
      return answer.ok;
    },
    watch: (kind, given) => {
      count("watch");
      return watchStream(kind, given, door);
    },
  };
}

function query(parameters: Readonly<Record<string, string>>, dryRun: boolean): string {
  const all = { fieldManager: FIELD_MANAGER, ...parameters, ...(dryRun ? { dryRun: "All" } : {}) };
  return new URLSearchParams(all).toString();
}

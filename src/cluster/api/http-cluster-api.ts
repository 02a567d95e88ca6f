/** The ClusterApi over HTTP. */
import * as z from "zod/mini";
import { valueAt } from "../../krm/places/field-path.ts";
import { type Answer, failed, succeeded, unreachable } from "./api-answer.ts";
import { checkedObject, isMalformed, malformedAnswer } from "./check-object.ts";
import { type ClusterApi, FIELD_MANAGER } from "./cluster-api.ts";
import { httpClient, type HttpClientOptions, type HttpRequest, type JsonObject } from "./http-client.ts";
import { kubeAccess, type KubeAccessOptions } from "./kube-access.ts";
import { listPages, type PageSizes } from "./list-pages.ts";
import type { Identity, LiveObject } from "./live-object.ts";
import { type Collection, pathOf, queryOf, type ServedKind } from "./served-kind.ts";
import { watchStream } from "./watch-stream.ts";

type HttpOptions = KubeAccessOptions & HttpClientOptions;

/**
 * A resourceVersion that no object has. Apply with it creates an absent object and never changes one (k8s.io/apiserver
 * `pkg/registry/generic/registry/store.go`, `Update`). The revision of an empty etcd is 1.
 */
const OF_NO_OBJECT = "1";

/** Kubernetes has no limit; this one keeps log lines short. */
const LONGEST_USER = 1000;

const APPLY = "application/apply-patch+yaml";
const MERGE = "application/merge-patch+json";
const JSON_PATCH = "application/json-patch+json";

/** @throws ClusterError if the kubeconfig cannot be used */
export function httpClusterApi(options: HttpOptions): ClusterApi {
  const access = options.access ?? kubeAccess(options);
  const client = httpClient(access, options);
  const counts: Record<string, number> = {};
  const sizes: PageSizes = new Map();
  const count = (verb: string): void => {
    counts[verb] = (counts[verb] ?? 0) + 1;
  };
  const send = (verb: string, request: HttpRequest): Promise<Answer<JsonObject>> => {
    count(verb);
    return client.send(request);
  };
  const write = async (
    verb: string,
    kind: Collection,
    name: string,
    request: HttpRequest,
    dryRun = false,
  ): Promise<Answer<LiveObject>> => {
    const answer = await send(verb, request);
    return answer.ok ? objectOf(answer.value, kind, name, !dryRun) : answer;
  };
  /** An "add" replaces an existing field too. No resourceVersion: a client that writes often must not block it. */
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
    const path = `${pathOf(kind, name)}${written(dryRun)}`;
    return write("patch", kind, name, { method: "PATCH", path, body, contentType: JSON_PATCH }, dryRun);
  };

  return {
    get server() {
      return access.server;
    },
    requests: () => ({ ...counts }),
    close: client.close,
    list: (kind, given = {}) => listPages(kind, given, (request) => send("list", { method: "GET", ...request }), sizes),
    discover: (isWanted) => discoverKinds(isWanted, (path) => send("get", { method: "GET", path })),
    get: async (kind, name) => {
      const answer = await send("get", { method: "GET", path: pathOf(kind, name) });
      if (answer.ok) return objectOf(answer.value, kind, name);
      return answer.error.kind === "notFound" ? succeeded(undefined) : answer;
    },
    apply: (kind, object, { dryRun, force, uid, isNew = false }) => {
      const path = `${pathOf(kind, object.metadata.name)}${written(dryRun, force)}`;
      const only = { ...(uid === undefined ? {} : { uid }), ...(isNew ? { resourceVersion: OF_NO_OBJECT } : {}) };
      const body = { ...object, metadata: { ...object.metadata, ...only } };
      return write("apply", kind, object.metadata.name, { method: "PATCH", path, body, contentType: APPLY }, dryRun);
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
        // Another propagation policy would wait for a garbage collector, which may not be allowed to write here.
        propagationPolicy: "Background",
        ...(dryRun ? { dryRun: ["All"] } : {}),
      };
      const answer = await send("delete", { method: "DELETE", path: pathOf(kind, name), body });
      if (!answer.ok) return answer.error.kind === "notFound" ? succeeded(undefined) : answer;
      // The answer to a completed deletion is a Status, or the last state of the object.
      const finalizers = valueAt(answer.value, ["metadata", "finalizers"]) ?? [];
      const isThere = !Array.isArray(finalizers) || finalizers.length > 0;
      return isThere ? objectOf(answer.value, kind, name) : succeeded(undefined);
    },
    patchStatus: (kind, { name, uid, resourceVersion }, status) => {
      // With a resourceVersion the patch fails if another write was first.
      const body = { metadata: { uid, resourceVersion }, status };
      const path = `${pathOf(kind, name)}/status${written(false)}`;
      return write("patch", kind, name, { method: "PATCH", path, body, contentType: MERGE });
    },
    replace: (kind, object) => {
      const path = `${pathOf(kind, object.metadata.name)}${written(false)}`;
      return write("update", kind, object.metadata.name, { method: "PUT", path, body: object });
    },
    create: (kind, object) =>
      write("create", kind, object.metadata.name, { method: "POST", path: pathOf(kind), body: object }),
    patch: (kind, name, change, { dryRun } = { dryRun: false }) => {
      const path = `${pathOf(kind, name)}${written(dryRun)}`;
      return write("patch", kind, name, { method: "PATCH", path, body: change, contentType: MERGE }, dryRun);
    },
    whoAmI: async () => {
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
      const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
      const answer = await send("create", { method: "POST", path, body });
      if (!answer.ok) return answer;
      const { userInfo } = (answer.value["status"] ?? {}) as { userInfo?: { username?: unknown } };
      const username = userInfo?.username;
      return typeof username === "string" && username.length <= LONGEST_USER
        ? succeeded(username)
        : failed(unreachable("the server does not say who we are"));
    },
    answers: async (withinMs) => {
      const answer = await send("version", { method: "GET", path: "/version", withinMs });
      return answer.ok || answer.error.status !== undefined;
    },
    isReady: async () => {
      count("readyz");
      // The answer is plain text, not JSON.
      const answer = await client.open("/readyz", new AbortController().signal);
      if (answer.ok) answer.value.resume();
      return answer.ok;
    },
    watch: (kind, given) => {
      count("watch");
      return watchStream(kind, given, client);
    },
  };
}

function objectOf(value: unknown, kind: Collection, name: string, isStored = true): Answer<LiveObject> {
  const object = checkedObject(value, kind, name, isStored);
  return isMalformed(object) ? failed(malformedAnswer(object)) : succeeded(object);
}

/** The parameters of a write. */
function written(dryRun: boolean, force?: boolean): string {
  return queryOf({ fieldManager: FIELD_MANAGER, force: force?.toString(), dryRun: dryRun ? "All" : undefined });
}

const version = z.looseObject({ groupVersion: z.string() });
const groupsSchema = z.array(
  z.looseObject({ name: z.string(), preferredVersion: z.optional(version), versions: z.array(version) }),
);
const resourcesSchema = z.array(z.looseObject({ name: z.string(), kind: z.string() }));

/** Each kind once, in the preferred version of its group if that serves it. The core group is left out. */
export async function discoverKinds(
  isWanted: (group: string) => boolean,
  get: (path: string) => Promise<Answer<JsonObject>>,
): Promise<Answer<readonly ServedKind[]>> {
  const answer = await get("/apis");
  if (!answer.ok) return answer;
  const { data: groups } = groupsSchema.safeParse(answer.value["groups"] ?? []);
  if (groups === undefined) return failed(unreachable("the server does not say which groups it serves"));
  const found = new Map<string, ServedKind>();
  for (const { name, preferredVersion, versions } of groups.filter((group) => isWanted(group.name))) {
    const inOrder = new Set([preferredVersion, ...versions].flatMap((version) => version?.groupVersion ?? []));
    for (const apiVersion of inOrder) {
      const listed = await get(`/apis/${apiVersion}`);
      // A group that was removed in the meantime is not served.
      if (!listed.ok && listed.error.kind !== "notFound") return listed;
      const { data: resources } = resourcesSchema.safeParse((listed.ok && listed.value["resources"]) || []);
      if (resources === undefined) return failed(unreachable(`the server does not say which kinds ${apiVersion} has`));
      for (const { name: plural, kind } of resources)
        // Subresources such as `nodepools/status` have a slash.
        if (!plural.includes("/") && !found.has(`${name}/${kind}`))
          found.set(`${name}/${kind}`, { apiVersion, kind, plural });
    }
  }
  return succeeded([...found.values()]);
}

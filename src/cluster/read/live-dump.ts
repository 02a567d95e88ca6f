/** Lists a cluster's objects as Resources, as `kubectl get -A -o json` does and in its order. */
import type { Resource } from "../../krm/resource.ts";
import { type ApiError, ClusterError } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import { liveResource } from "../api/live-object.ts";
import type { ServedKind } from "../api/served-kind.ts";

export interface DumpedKind {
  /** Empty for the core group. */
  readonly group: string;
  /** The first that the cluster serves is read. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  /** The cluster may lack the kind. */
  readonly optional?: boolean;
  /** What remains unknown without it. If set, the user may lack the right to read the kind. */
  readonly unknown?: string | undefined;
  readonly fieldSelector?: string;
}

/** Kinds without a fixed name: all matching kinds that the cluster serves are read. */
export interface DumpedFamily {
  readonly isGroup: (group: string) => boolean;
  readonly isKind: (kind: Pick<ServedKind, "apiVersion" | "kind">) => boolean;
  readonly unknown: string | undefined;
}

/** A kind that the cluster serves and the user may not read. */
export interface UnreadKind {
  readonly kind: string;
  readonly plural: string;
  /** What remains unknown. */
  readonly unknown: string;
  /** The message of the API server. */
  readonly reason: string;
}

interface Read {
  readonly resources: readonly Resource[];
  readonly unread: readonly UnreadKind[];
}

/** Or why the cluster cannot be read, in one line. */
type Dump = Read | { readonly problem: string };

export async function readLiveDump(
  wanted: readonly (DumpedKind | DumpedFamily)[],
  options: KubeAccessOptions,
): Promise<Dump> {
  let api: ClusterApi | undefined;
  try {
    const opened = httpClusterApi({ ...options, isOwn: true });
    api = opened;
    const dumps = await Promise.all(
      wanted.map((one) => ("plural" in one ? listKind(opened, one) : listFamily(opened, one))),
    );
    return together(dumps);
  } catch (error) {
    if (error instanceof ClusterError) return { problem: error.message };
    throw error;
  } finally {
    api?.close();
  }
}

/** Reports the first problem in the order of the kinds, so that the output does not depend on timing. */
function together(dumps: readonly Dump[]): Dump {
  const failed = dumps.find((dump) => "problem" in dump);
  if (failed !== undefined) return failed;
  const read = dumps.filter((dump) => "resources" in dump);
  return {
    resources: read.flatMap(({ resources }) => resources),
    unread: read.flatMap(({ unread }) => unread),
  };
}

async function listFamily(api: ClusterApi, { isGroup, isKind, unknown }: DumpedFamily): Promise<Dump> {
  const served = await api.discover(isGroup);
  if (!served.ok) return { problem: `${api.server}: asking what it serves: ${served.error.message}` };
  const kinds = served.value.filter(isKind).map(({ apiVersion, kind, plural }): DumpedKind => {
    const [group = "", version = ""] = apiVersion.split("/");
    return { group, versions: [version], kind, plural, optional: true, unknown };
  });
  return together(await Promise.all(kinds.map((kind) => listKind(api, kind))));
}

async function listKind(api: ClusterApi, kind: DumpedKind): Promise<Dump> {
  const { fieldSelector, unknown } = kind;
  for (const version of kind.versions) {
    const served = servedAs(kind, version);
    const answer = await api.list(served, { fieldSelector });
    if (answer.ok) {
      const resources = answer.value.items.map((object) => liveResource(object, "guest", served));
      return { resources, unread: [] };
    }
    const { error } = answer;
    if (error.kind === "forbidden" && kind.optional === true && !(await isServed(api, kind))) break;
    if (error.kind === "forbidden" && unknown !== undefined) {
      const { kind: name, plural } = kind;
      return { resources: [], unread: [{ kind: name, plural, unknown, reason: error.message }] };
    }
    if (error.kind !== "notFound") return { problem: problemOf(api, kind, error) };
  }
  if (kind.optional === true) return { resources: [], unread: [] };
  const crd = `${kind.plural}.${kind.group}`;
  return { problem: `${api.server} serves no ${kind.kind} of ${kind.group}: the CRD ${crd} is not installed` };
}

/** An API server also answers `forbidden` for a kind that it does not serve. All users may discover the served kinds. */
async function isServed(api: ClusterApi, { group, kind }: DumpedKind): Promise<boolean> {
  const served = await api.discover((name) => name === group);
  return !served.ok || served.value.some((one) => one.kind === kind);
}

function servedAs({ group, kind, plural }: DumpedKind, version: string): ServedKind {
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind, plural };
}

/** Keeps the API server's message, because users search for it. */
function problemOf({ server }: ClusterApi, { plural }: DumpedKind, { kind, status, message }: ApiError): string {
  if (status === undefined) return message;
  const advice = kind === "unauthorized" ? "; the credentials of the kubeconfig are not accepted" : "";
  return `${server}: listing ${plural}: ${message}${advice}`;
}

/** Lists a cluster's objects as Resources, as `kubectl get -A -o json` does and in its order. */
import type { Resource } from "../../krm/places/resource.ts";
import { ClusterError } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import { liveResource } from "../api/live-object.ts";
import type { ServedKind } from "../api/served-kind.ts";
import { askCluster, clusterErrorOf } from "./live-side.ts";

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
  /** Optional kinds that the cluster does not serve. */
  readonly unserved: readonly string[];
}

/** Or why the cluster cannot be read, in one line. */
export function readLiveDump(
  wanted: readonly (DumpedKind | DumpedFamily)[],
  options: KubeAccessOptions,
): Promise<Read | { readonly problem: string }> {
  return askCluster(options, (api) =>
    together(wanted.map((one) => ("plural" in one ? listKind(api, one) : listFamily(api, one)))),
  );
}

/** Rejects with the first error in the order of the kinds, so that the output does not depend on timing. */
async function together(reads: readonly Promise<Read>[]): Promise<Read> {
  await Promise.allSettled(reads);
  const all: Read[] = [];
  for (const read of reads) all.push(await read);
  return {
    resources: all.flatMap(({ resources }) => resources),
    unread: all.flatMap(({ unread }) => unread),
    unserved: all.flatMap(({ unserved }) => unserved),
  };
}

async function listFamily(api: ClusterApi, { isGroup, isKind, unknown }: DumpedFamily): Promise<Read> {
  const served = await api.discover(isGroup);
  if (!served.ok) throw new ClusterError(`${api.server}: asking what it serves: ${served.error.message}`);
  const kinds = served.value.filter(isKind).map(({ apiVersion, kind, plural }): DumpedKind => {
    const [group = "", version = ""] = apiVersion.split("/");
    return { group, versions: [version], kind, plural, optional: true, unknown };
  });
  return together(kinds.map((kind) => listKind(api, kind)));
}

async function listKind(api: ClusterApi, kind: DumpedKind): Promise<Read> {
  const { fieldSelector, unknown } = kind;
  for (const version of kind.versions) {
    const served = servedAs(kind, version);
    const answer = await api.list(served, { fieldSelector });
    if (answer.ok) {
      const resources = answer.value.items.map((object) => liveResource(object, "guest", served));
      return { resources, unread: [], unserved: [] };
    }
    const { error } = answer;
    if (error.kind === "forbidden" && kind.optional === true && !(await isServed(api, kind))) break;
    if (error.kind === "forbidden" && unknown !== undefined) {
      const { kind: name, plural } = kind;
      return { resources: [], unread: [{ kind: name, plural, unknown, reason: error.message }], unserved: [] };
    }
    if (error.kind !== "notFound") throw clusterErrorOf(api, `listing ${kind.plural}`, error);
  }
  if (kind.optional === true) return { resources: [], unread: [], unserved: [kind.kind] };
  const crd = `${kind.plural}.${kind.group}`;
  throw new ClusterError(`${api.server} serves no ${kind.kind} of ${kind.group}: the CRD ${crd} is not installed`);
}

/** An API server also answers `forbidden` for a kind that it does not serve. All users may discover the served kinds. */
async function isServed(api: ClusterApi, { group, kind }: DumpedKind): Promise<boolean> {
  const served = await api.discover((name) => name === group);
  return !served.ok || served.value.some((one) => one.kind === kind);
}

function servedAs({ group, kind, plural }: DumpedKind, version: string): ServedKind {
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind, plural };
}

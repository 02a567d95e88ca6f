/** A cluster's objects as Resources, as `kubectl get -A -o json` would write them, in its order. */
import type { Resource } from "../../krm/resource.ts";
import type { ApiError } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { ClusterError } from "../api/cluster-error.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import { liveResource } from "../api/live-resource.ts";
import type { ServedKind } from "../api/served-kind.ts";

export interface DumpedKind {
  /** Empty for the core group. */
  readonly group: string;
  /** The first that the cluster serves is read. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  /** A cluster need not have it. */
  readonly optional?: boolean;
}

/** Or why the cluster cannot answer, in one line. */
type Dump = { readonly resources: readonly Resource[] } | { readonly problem: string };

export async function readLiveDump(kinds: readonly DumpedKind[], options: KubeAccessOptions): Promise<Dump> {
  let api: ClusterApi | undefined;
  try {
    const opened = httpClusterApi({ ...options, isOwn: true });
    api = opened;
    const lists = await Promise.all(kinds.map((kind) => listKind(opened, kind)));
    // The first of the kinds, whichever the answer to which came first.
    const failed = lists.find((list) => "problem" in list);
    return failed ?? { resources: lists.flatMap((list) => ("resources" in list ? list.resources : [])) };
  } catch (error) {
    if (error instanceof ClusterError) return { problem: error.message };
    throw error;
  } finally {
    api?.close();
  }
}

async function listKind(api: ClusterApi, kind: DumpedKind): Promise<Dump> {
  for (const version of kind.versions) {
    const served = servedAs(kind, version);
    const answer = await api.list(served);
    if (answer.ok) return { resources: answer.value.items.map((object) => liveResource(object, "guest", served)) };
    if (answer.error.kind !== "notFound") return { problem: troubleOf(api, kind, answer.error) };
  }
  if (kind.optional === true) return { resources: [] };
  const crd = `${kind.plural}.${kind.group}`;
  return { problem: `${api.server} serves no ${kind.kind} of ${kind.group}: the CRD ${crd} is not installed` };
}

function servedAs({ group, kind, plural }: DumpedKind, version: string): ServedKind {
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind, plural };
}

/** The API server's words are those that people search for. */
function troubleOf({ server }: ClusterApi, { plural }: DumpedKind, { kind, status, message }: ApiError): string {
  if (status === undefined) return message;
  const advice = kind === "unauthorized" ? "; the credentials of the kubeconfig are not accepted" : "";
  return `${server}: listing ${plural}: ${message}${advice}`;
}

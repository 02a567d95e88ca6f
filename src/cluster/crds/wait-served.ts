/** Waits until the API server serves the kind of a CustomResourceDefinition. */
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { readQuota } from "../api/read-quota.ts";
import { type Collection, CUSTOM_RESOURCE_DEFINITIONS } from "../api/served-kind.ts";
import { pause } from "../waiting/pause.ts";

/** An API server needs a tenth of it. With several API servers, one may be a second late. */
const LONGEST_MS = 5000;
const BETWEEN_MS = 50;

interface Waited {
  readonly api: ClusterApi;
  /** The name of the definition. */
  readonly name: string;
  /** The kind, in the namespace in which RBAC allows to list it. */
  readonly collection: Collection;
  readonly signal: AbortSignal;
}

/**
 * The condition Established is not enough: the pass needs a kind that can be listed.
 *
 * @returns why the kind is not served; undefined if it is
 */
export async function waitServed({ api, name, collection, signal }: Waited): Promise<string | undefined> {
  const end = performance.now() + LONGEST_MS;
  let words = "it is not established yet";
  for (;;) {
    const answer = await api.get(CUSTOM_RESOURCE_DEFINITIONS, name);
    if (!answer.ok) return answer.error.message;
    const why = answer.value === undefined ? "it was deleted again" : notEstablished(answer.value);
    if (why === undefined) {
      const listed = await api.list(collection, { budget: readQuota() });
      // The pass reports any other error of the list.
      if (listed.ok || listed.error.kind !== "notFound") return undefined;
    } else words = why;
    if (signal.aborted || performance.now() > end) return words;
    await pause(BETWEEN_MS, signal);
  }
}

/** Why the kind of a definition is not served; undefined if it is. */
export function notEstablished({ status }: LiveObject): string | undefined {
  const { conditions } = (status ?? {}) as { conditions?: readonly Condition[] | null };
  const of = (type: string) => conditions?.find((condition) => condition.type === type);
  if (of("Established")?.status === "True") return undefined;
  const names = of("NamesAccepted");
  return names?.status === "False" ? `it is not established: ${names.message ?? ""}` : "it is not established yet";
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

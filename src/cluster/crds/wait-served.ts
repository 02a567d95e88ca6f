/** Waits until a CustomResourceDefinition serves its kind, or says why it does not. */
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { type Collection, CUSTOM_RESOURCE_DEFINITIONS } from "../api/served-kind.ts";
import { pause } from "../waiting/pause.ts";

/** An API server needs a tenth of that; one of several may hear of it a second later. */
const LONGEST_MS = 5000;
const BETWEEN_MS = 50;

interface Waited {
  readonly api: ClusterApi;
  /** Of the definition. */
  readonly name: string;
  /** What is served in the end; in the namespace in which it may be listed. */
  readonly collection: Collection;
  readonly signal: AbortSignal;
}

/** Established is the definition's word; that the kind can be listed is what the pass needs. */
export async function waitServed({ api, name, collection, signal }: Waited): Promise<string | undefined> {
  const end = performance.now() + LONGEST_MS;
  let words = "it is not established yet";
  for (;;) {
    const answer = await api.get(CUSTOM_RESOURCE_DEFINITIONS, name);
    if (!answer.ok) return answer.error.message;
    const why = answer.value === undefined ? "it is gone again" : notEstablished(answer.value);
    if (why === undefined) {
      const listed = await api.list(collection);
      // Whatever else is wrong with the list, reading it tells.
      if (listed.ok || listed.error.kind !== "notFound") return undefined;
    } else words = why;
    if (signal.aborted || performance.now() > end) return words;
    await pause(BETWEEN_MS, signal);
  }
}

/** Why a definition does not serve its kind; undefined where it does. */
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

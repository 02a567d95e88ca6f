/** Installs the CustomResourceDefinitions of policy and wrappers if the watch is configured to. */
import type { ApiError } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { CUSTOM_RESOURCE_DEFINITIONS } from "../api/served-kind.ts";
import { isApplyOfOurs } from "../objects/field-owners.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { type DeclaredCrd, declaredCrds } from "./declared-crds.ts";
import { type DifferingField, differingFields } from "./differing-fields.ts";
import { notEstablished, waitServed } from "./wait-served.ts";

/**
 * - `created`, `updated`: done, or accepted in a dry run
 * - `foreign`: anp did not create it and does not change it
 * - `failed`: `words` says why, and `error` whether an early retry can help
 */
type Outcome = "created" | "updated" | "in-sync" | "foreign" | "failed";

export interface CrdState {
  readonly side: DeclaredCrd["side"];
  /** The name of the definition. */
  readonly name: string;
  /** The kind that it defines. */
  readonly kind: string;
  readonly outcome: Outcome;
  /** The operation that failed. */
  readonly doing: "read" | "create" | "update" | "serve" | undefined;
  /** What is wrong; empty if nothing is. */
  readonly words: string;
  readonly error: ApiError["kind"] | undefined;
  /** The fields that an update changes. */
  readonly differences: readonly DifferingField[];
}

/** An empty list if the watch is not configured to install them. */
export async function installCrds(cluster: WatchedCluster, signal: AbortSignal): Promise<readonly CrdState[]> {
  if (!cluster.installCrds || signal.aborted) return [];
  const { guest, management, render } = cluster;
  const apis = { guest, management };
  return Promise.all(
    declaredCrds(render.profile, management !== undefined).map((declared) =>
      install(declared, apis[declared.side]!, cluster, signal),
    ),
  );
}

async function install(
  { side, definition, serves, version }: DeclaredCrd,
  api: ClusterApi,
  { dryRun, hostedCluster }: WatchedCluster,
  signal: AbortSignal,
): Promise<CrdState> {
  const { name } = definition.metadata;
  const came = (outcome: Outcome, more: Partial<CrdState> = {}): CrdState => ({
    side,
    name,
    kind: serves.kind,
    outcome,
    doing: undefined,
    words: "",
    error: undefined,
    differences: [],
    ...more,
  });
  const failed = (doing: CrdState["doing"], { kind, message }: Pick<ApiError, "kind" | "message">) =>
    came("failed", { doing, words: message, error: kind });
  const served = async (outcome: Outcome): Promise<CrdState> => {
    // The role for one hosted cluster can list policies in its namespace only.
    const collection = side === "management" ? { ...serves, namespace: hostedCluster } : serves;
    const words = await waitServed({ api, name, collection, signal });
    return words === undefined ? came(outcome) : failed("serve", { kind: "unavailable", message: words });
  };

  const read = await api.get(CUSTOM_RESOURCE_DEFINITIONS, name);
  if (!read.ok) return failed("read", read.error);
  const live = read.value;
  if (live === undefined) {
    // Without force: a definition that another writer created in the meantime stays.
    const answer = await api.apply(CUSTOM_RESOURCE_DEFINITIONS, definition, { dryRun, force: false });
    if (!answer.ok) return failed("create", answer.error);
    return dryRun ? came("created") : served("created");
  }
  const { uid, deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined)
    return failed("serve", {
      kind: "unavailable",
      message: "it is being deleted with all objects of its kind",
    });
  if (!isOurs(live)) return came("foreign", { words: lackingVersion(live, version) });
  const differences = differingFields(definition, live);
  if (differences.length === 0) return notEstablished(live) === undefined ? came("in-sync") : served("in-sync");
  const answer = await api.apply(CUSTOM_RESOURCE_DEFINITIONS, definition, { dryRun, force: true, uid });
  return answer.ok ? came("updated", { differences }) : failed("update", answer.error);
}

function isOurs({ metadata: { managedFields = [] } }: LiveObject): boolean {
  return managedFields.some(isApplyOfOurs);
}

function lackingVersion({ spec }: LiveObject, version: string): string {
  const { versions = [] } = (spec ?? {}) as { versions?: readonly { name: string; served: boolean }[] };
  if (versions.some(({ name, served }) => name === version && served)) return "";
  const others = versions.filter(({ served }) => served).map(({ name }) => name);
  return `it serves ${others.join(", ") || "no version"}, and anp reads ${version}`;
}

/** Installs the CustomResourceDefinitions of policy and wrappers if the watch is configured to. */
import { type ApiError, unreachable } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { CUSTOM_RESOURCE_DEFINITIONS, type Collection } from "../api/served-kind.ts";
import { isApplyOfOurs, fieldOwners } from "../objects/field-owners.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { type CustomResource, customResourceDefinition } from "../../model/crds/crd.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { memoize, memoizeByKey } from "../../model/schema/memoize.ts";
import { policyResources, wrapperResources } from "../../model/objects/own-kinds.ts";
import { DEFAULT_PROFILE, type Profile } from "../../model/crds/profile.ts";
import { isFields } from "../../krm/values/fields.ts";
import { sameValue } from "../../krm/values/canonical.ts";
import { readQuota } from "../api/read-quota.ts";
import { pause } from "../waiting/pause.ts";

/**
 * - `created`, `updated`: done, or accepted in a dry run
 * - `foreign`: anp did not create it and does not change it
 * - `failed`: `words` says why, and `error` whether an early retry can help
 */
type Outcome = "created" | "updated" | "in-sync" | "foreign" | "failed";

export interface CrdState {
  readonly side: "guest" | "management";
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

interface DifferingField {
  readonly field: string;
  /** The other manager that owns it, if there is one. */
  readonly owner: string | undefined;
}

/** Those of `anp crds` without Karpenter's, which HyperShift's operator installs. */
const policyCrds = memoize(() => policyResources().map(declared));
const wrapperCrds = memoizeByKey((profile: Profile) => wrapperResources(profile).map(declared));

type DeclaredCrd = ReturnType<typeof declared>;

/** The definition, and the kind that it serves, in the version that the watch reads. */
function declared(resource: CustomResource) {
  const { group, version, kind, plural } = resource;
  const definition = customResourceDefinition(resource) as unknown as KubeObject;
  return { definition, version, serves: { apiVersion: `${group}/${version}`, kind, plural } };
}

/** An empty list if the watch is not configured to install them. */
export async function installCrds(cluster: WatchedCluster, signal: AbortSignal): Promise<readonly CrdState[]> {
  if (!cluster.installCrds || signal.aborted) return [];
  const { guest, management, render } = cluster;
  const ofGuest = wrapperCrds(render.profile ?? DEFAULT_PROFILE);
  return Promise.all([
    ...ofGuest.map((crd) => install("guest", crd, guest, cluster, signal)),
    ...(management === undefined ? [] : policyCrds()).map((crd) =>
      install("management", crd, management!, cluster, signal),
    ),
  ]);
}

async function install(
  side: CrdState["side"],
  { definition, serves, version }: DeclaredCrd,
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
  const failed = (doing: CrdState["doing"], { kind, message }: ApiError) =>
    came("failed", { doing, words: message, error: kind });
  const served = async (outcome: Outcome): Promise<CrdState> => {
    // The role for one hosted cluster can list policies in its namespace only.
    const collection = side === "management" ? { ...serves, namespace: hostedCluster } : serves;
    const words = await waitServed(api, name, collection, signal);
    return words === undefined ? came(outcome) : failed("serve", unreachable(words));
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
  const { uid, deletionTimestamp, managedFields = [] } = live.metadata;
  if (deletionTimestamp !== undefined)
    return failed("serve", unreachable("it is being deleted with all objects of its kind"));
  if (!managedFields.some(isApplyOfOurs)) return came("foreign", { words: lackingVersion(live, version) });
  const differences = differingFields(definition, live);
  if (differences.length === 0) return notEstablished(live) === undefined ? came("in-sync") : served("in-sync");
  const answer = await api.apply(CUSTOM_RESOURCE_DEFINITIONS, definition, { dryRun, force: true, uid });
  return answer.ok ? came("updated", { differences }) : failed("update", answer.error);
}

function lackingVersion({ spec }: LiveObject, version: string): string {
  const { versions = [] } = (spec ?? {}) as { versions?: readonly { name: string; served: boolean }[] };
  const served = versions.filter((one) => one.served).map(({ name }) => name);
  return served.includes(version) ? "" : `it serves ${served.join(", ") || "no version"}, and anp reads ${version}`;
}

/**
 * Fields that the API server adds, such as `spec.conversion`, do not count. It adds nothing to a schema: there, a field
 * that anp no longer declares counts, too.
 */
function differingFields({ spec }: KubeObject, live: LiveObject): DifferingField[] {
  const owners = fieldOwners(live);
  return Object.entries(spec)
    .filter(([field, value]) => !holds(value, live.spec?.[field]))
    .map(([field]) => ({ field: `spec.${field}`, owner: owners.othersOf(["spec", field])[0] }));
}

function holds(declared: unknown, live: unknown): boolean {
  if (Array.isArray(declared)) {
    if (!Array.isArray(live) || live.length !== declared.length) return false;
    return declared.every((item, index) => holds(item, live[index]));
  }
  if (!isFields(declared)) return Object.is(declared, live);
  if (!isFields(live)) return false;
  return Object.entries(declared).every(([key, value]) =>
    // As JSON stores a schema: without undefined fields.
    key === "schema" ? sameValue(JSON.parse(JSON.stringify(value)), live[key]) : holds(value, live[key]),
  );
}

/** An API server needs a tenth of it. With several API servers, one may be a second late. */
const LONGEST_MS = 5000;
const BETWEEN_MS = 50;

/**
 * The condition Established is not enough: the pass needs a kind that can be listed.
 *
 * @param collection the kind, in the namespace in which RBAC allows to list it
 * @returns why the kind is not served; undefined if it is
 */
async function waitServed(
  api: ClusterApi,
  name: string,
  collection: Collection,
  signal: AbortSignal,
): Promise<string | undefined> {
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
function notEstablished({ status }: LiveObject): string | undefined {
  const { conditions } = (status ?? {}) as { conditions?: readonly Readonly<Record<string, string>>[] | null };
  const of = (type: string) => conditions?.find((condition) => condition["type"] === type);
  if (of("Established")?.["status"] === "True") return undefined;
  const names = of("NamesAccepted");
  return names?.["status"] === "False"
    ? `it is not established: ${names["message"] ?? ""}`
    : "it is not established yet";
}

/** The pool web with a Hard limit and its NodeClaims, for the suite of passes, and faults of reading them. */
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { type ApiError, failed } from "../../../src/cluster/api/api-answer.ts";
import { APPENDED_ANNOTATION } from "../../../src/cluster/objects/appended-budget.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";
import { logLines } from "../../../src/cluster/status/log-lines.ts";
import { formatLogEntry } from "../../../src/cluster/objects/log-entry.ts";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import { create } from "../controlplane/objects.ts";
import { pool } from "../watch/inputs.ts";
import { ADMIN, apiOf, live, nodePool, OPERATOR, pass, put, type Rig, watched } from "../watch/rig.ts";

interface Limited {
  readonly limit: number;
  /** How many NodeClaims exist, not launched yet. */
  readonly claims?: number;
  readonly more?: object;
}

/** The pool web with a limit, applied once, and with NodeClaims as Karpenter creates them. */
export async function limited(rig: Rig, { limit, claims = 0, more = {} }: Limited): Promise<void> {
  await put(rig.guest, pool("web", [], { limits: { nodes: limit }, ...more }));
  if (claims === 0) return;
  await clearClaims(rig);
  await pass(watched(rig));
  const { metadata } = await live(rig.guest, nodePool("web"));
  for (let index = 0; index < claims; index++) {
    const owner = { apiVersion: "karpenter.sh/v1", kind: "NodePool", name: "web", uid: metadata?.uid ?? "" };
    const claim = {
      apiVersion: "karpenter.sh/v1",
      kind: "NodeClaim",
      metadata: {
        name: `web-${index}`,
        labels: { "karpenter.sh/nodepool": "web" },
        ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
      },
      spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" }, requirements: [] },
    };
    const { status, text } = await create(rig.guest, OPERATOR, claim);
    if (status !== 201) throw new Error(text);
  }
}

const CLAIMS = "/apis/karpenter.sh/v1/nodeclaims";

async function clearClaims({ guest }: Rig): Promise<void> {
  await guest.request(ADMIN, "DELETE", CLAIMS);
}

export async function removeClaim({ guest }: Rig, name: string): Promise<void> {
  const { status, text } = await guest.request(ADMIN, "DELETE", `${CLAIMS}/${name}`);
  if (status !== 200) throw new Error(text);
}

export async function label({ guest }: Rig, name: string): Promise<void> {
  await guest.request(ADMIN, "PATCH", `${CLAIMS}/${name}`, { metadata: { labels: { "example.com/seen": "true" } } });
}

export async function claims({ guest }: Rig): Promise<string[]> {
  const { body } = await guest.request(ADMIN, "GET", CLAIMS);
  return (body.items ?? []).map(({ metadata }) => metadata?.name ?? "").toSorted();
}

export async function budgets({ guest }: Rig): Promise<unknown> {
  return valueAt(await live(guest, nodePool("web")), ["spec", "disruption", "budgets"]);
}

export async function mark({ guest }: Rig): Promise<string | undefined> {
  return (await live(guest, nodePool("web"))).metadata?.annotations?.[APPENDED_ANNOTATION];
}

/** Events of the pool web about its limit. */
export async function notesOn({ guest }: Rig, kind: string): Promise<string[]> {
  const { body } = await guest.request(ADMIN, "GET", "/apis/events.k8s.io/v1/namespaces/default/events");
  const about = (body.items ?? []).filter(({ reason, regarding }) => {
    return reason === "DisruptionBlocked" && valueAt(regarding, ["kind"]) === kind;
  });
  return about.map(({ note }) => String(note)).toSorted();
}

type Fault = ApiError["kind"] | false | undefined | void;

/** A cluster with a hook before each list, which may return the kind of an error instead. */
export function listing(
  rig: Rig,
  before: (kind: string) => Fault | Promise<Fault>,
  side: "guest" | "management" = "guest",
): ClusterApi {
  const api = side === "guest" ? apiOf(rig, side, OPERATOR) : apiOf(rig, side, "guest-admin");
  return {
    ...api,
    list: async (collection, options) => {
      const kind = await before(collection.kind);
      if (kind === undefined || kind === false) return api.list(collection, options);
      return failed({ kind, status: 403, message: `${collection.plural} is ${kind}` });
    },
  };
}

export function lines(result: ReconcileResult): string[] {
  const { done, state, summary } = logLines(result, 1);
  return [...done, ...state, summary].map((entry) =>
    formatLogEntry(entry, "T", "logfmt").replace("time=T ", "").trim(),
  );
}

/** As `anp render` prints it. */
export function withoutOurs({
  apiVersion,
  kind,
  metadata: { name, labels, annotations },
  spec,
}: KubeObject): KubeObject {
  const rendered = ([key]: [string, unknown]) =>
    !["set", "applied", "node-limit-budget"].includes(key.replace("anp.hypershift.openshift.io/", ""));
  const metadata = {
    name,
    labels: Object.fromEntries(Object.entries(labels ?? {}).filter(rendered)),
    annotations: Object.fromEntries(Object.entries(annotations ?? {}).filter(rendered)),
  };
  const { disruption: _appended, ...rest } = spec;
  return { apiVersion, kind, metadata, spec: rest };
}

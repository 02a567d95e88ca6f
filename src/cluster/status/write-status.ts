/** Writes the status of a pass: Ready on the policy, and Karpenter's status on the wrappers. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { describeResource } from "../../krm/places/resource.ts";
import { POLICY_NAME } from "../../model/policy/auto-node-policy.ts";
import type { Answer } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { idOf } from "../../model/objects/kube-object.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import { breather, inParallel } from "../waiting/in-parallel.ts";
import { identityOf, type LiveObject } from "../api/live-object.ts";
import { isManagedByOperator } from "../objects/membership.ts";
import { factsOf, notApplied, type NotReady, type Outcome, withoutNodes } from "./outcomes.ts";
import { type Condition, mirroredStatus, withCondition, wrapperStatus } from "./wrapper-status.ts";
import type { Ready } from "./ready-condition.ts";
import { AUTO_NODE_POLICIES, OPENSHIFT_EC2_NODE_CLASSES, OPENSHIFT_NODE_POOLS } from "../api/served-kind.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";

interface Pass {
  readonly cluster: WatchedCluster;
  readonly inputs: Inputs;
  readonly ready: Ready;
  readonly outcomes: readonly Outcome[];
  readonly verdicts: readonly JudgedPool[];
  /** Whether the pass held every object, such as because of an invalid policy. */
  readonly isHeld: boolean;
  /** RFC 3339, to the second. */
  readonly now: string;
  readonly signal: AbortSignal;
}

const AT_ONCE = 8;

/** Writes only changes. Returns what could not be written. The next pass handles a conflict. */
export async function writeStatus(pass: Pass): Promise<string[]> {
  const notes = [await writeReady(pass)];
  const found = findAll(pass);
  // Without a change nothing is awaited, so very many wrappers would block the event loop: yield.
  const mirrorOne = async (wrapper: LiveObject): Promise<void> => {
    notes.push(await mirror(wrapper, pass, found));
    await found.breathe();
  };
  await inParallel(pass.inputs.guest.wrappers, AT_ONCE, mirrorOne, pass.signal);
  return notes.filter((note) => note !== undefined);
}

async function writeReady({ cluster, inputs, ready, now }: Pass): Promise<string | undefined> {
  const { policy } = inputs;
  if (policy === undefined || cluster.management === undefined) return undefined;
  const answer = await patchReady(cluster.management, policy, ready, now);
  return answer && noteOf(policy, answer);
}

/** Undefined if the condition stays as it is. */
async function patchReady(
  management: ClusterApi,
  policy: LiveObject,
  ready: Pick<Condition, "status" | "reason" | "message">,
  now: string,
): Promise<Answer<LiveObject> | undefined> {
  const { generation, namespace } = policy.metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const existing = (policy.status?.["conditions"] ?? []) as readonly Condition[];
  const conditions = withCondition(existing, { type: "Ready", ...ready, ...observed }, toSeconds(now));
  const collection = { ...AUTO_NODE_POLICIES, namespace };
  return conditions && management.patchStatus(collection, identityOf(policy), { conditions });
}

/** Ready of a cluster whose passes crash their process. If it cannot be written, the log still says it. */
export async function writeCrashed(
  { management, hostedCluster: namespace, dryRun }: WatchedCluster,
  message: string,
): Promise<void> {
  if (management === undefined || dryRun) return;
  const policies = await management.list({ ...AUTO_NODE_POLICIES, namespace });
  const policy = policies.ok ? policies.value.items.find(({ metadata }) => metadata.name === POLICY_NAME) : undefined;
  if (policy === undefined) return;
  await patchReady(management, policy, { status: "False", reason: "PassCrashed", message }, new Date().toISOString());
}

/** Results of the pass by key. */
interface Found {
  /** By `NodePool/web`. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly live: ReadonlyMap<string, LiveObject>;
  /** By the name of the pool. */
  readonly verdicts: ReadonlyMap<string, JudgedPool>;
  readonly breathe: () => Promise<void>;
}

function findAll({ outcomes, inputs, verdicts }: Pass): Found {
  return {
    outcomes: new Map(outcomes.filter(({ step }) => step !== undefined).map((one) => [`${one.kind}/${one.name}`, one])),
    live: new Map(inputs.guest.live.map((object) => [idOf(object), object])),
    verdicts: new Map(verdicts.map((judged) => [judged.pool, judged])),
    breathe: breather(),
  };
}

/** HyperShift's operator mirrors what it owns. */
async function mirror(wrapper: LiveObject, pass: Pass, found: Found): Promise<string | undefined> {
  const { cluster } = pass;
  const [kind, collection] =
    wrapper.kind === "OpenshiftNodePool"
      ? (["NodePool", OPENSHIFT_NODE_POOLS] as const)
      : (["EC2NodeClass", OPENSHIFT_EC2_NODE_CLASSES] as const);
  const { name } = wrapper.metadata;
  const outcome = found.outcomes.get(`${kind}/${name}`);
  const live = outcome?.step?.live ?? found.live.get(`${kind}/${name}`);
  // A wrapper does not mirror the status of an object that anp does not own.
  const mirrored = live === undefined || isOfOthers(live, outcome?.planned) ? undefined : mirroredStatus(live);
  const isKept = pass.isHeld && mirrored !== undefined;
  const objection = objectionTo({ kind, outcome, judged: found.verdicts.get(name), isKept });
  const isOperators = live !== undefined && isManagedByOperator(live);
  if (mirrored === undefined && (typeof objection !== "object" || isOperators)) return undefined;
  const status = wrapperStatus(mirrored ?? {}, wrapper, objection, toSeconds(pass.now));
  const patch = Object.entries(status).filter(
    ([field, value]) => canonical(wrapper.status?.[field] ?? undefined) !== canonical(value ?? undefined),
  );
  if (patch.length === 0) return undefined;
  // The CRD of node classes refuses an empty status.
  const isEmpty = Object.values({ ...wrapper.status, ...status }).every((value) => value === null);
  const change = isEmpty ? null : Object.fromEntries(patch);
  return noteOf(wrapper, await cluster.guest.patchStatus(collection, identityOf(wrapper), change));
}

interface Judged {
  readonly kind: "NodePool" | "EC2NodeClass";
  readonly outcome: Outcome | undefined;
  readonly judged: JudgedPool | undefined;
  /** Whether the pass left an earlier object as it was, together with all others. */
  readonly isKept: boolean;
}

/** An object that is kept with all others still works, and the policy's Ready has the reason. */
function objectionTo({ kind, outcome, judged, isKept }: Judged): NotReady | "unknown" | undefined {
  if (isKept) return "unknown";
  const refusal = outcome && notApplied(outcome);
  if (refusal !== undefined || kind === "EC2NodeClass") return refusal;
  return judged === undefined ? "unknown" : withoutNodes(judged);
}

/** By the plan, or by the owner reference if the plan did not decide. */
function isOfOthers(live: LiveObject, planned: Outcome["planned"] | undefined): boolean {
  if (planned === undefined || planned === "hold") return isManagedByOperator(live);
  // An unclaimed object has anp's marks.
  return planned !== "unclaimed" && factsOf(planned).isOfOthers === true;
}

function noteOf({ kind, metadata }: LiveObject, answer: Answer<LiveObject>): string | undefined {
  if (answer.ok || answer.error.kind === "conflict" || answer.error.kind === "notFound") return undefined;
  return `the status of ${describeResource({ kind, name: metadata.name })} cannot be written: ${answer.error.message}`;
}

/** Conditions have no fractions of seconds. */
function toSeconds(now: string): string {
  return now.replace(/\.\d+Z$/, "Z");
}

/**
 * Compares random pools under random policies on a real Karpenter with kwok, held by a guard or by rendering: what is
 * stored and launched, and anp's prediction.
 */
import type { DescribedPool } from "../../../src/analyze/explain/pool-answer.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { stringify } from "yaml";
import type { PlacedPod } from "../../../src/analyze/plan/place-pods.ts";
import { admitPool } from "../../../src/guard/admit-pool.ts";
import { AWS } from "../../../src/karpenter/provider/aws.ts";
import { otherProvider } from "../../../src/karpenter/provider/other.ts";
import type { Provider } from "../../../src/karpenter/provider/provider.ts";
import { sameValue } from "../../../src/krm/values/canonical.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create } from "../controlplane/objects.ts";
import { run } from "../golden/case.ts";
import { type Decision, decisionsOn, type PendingPod } from "../karpenter/decisions.ts";
import { createPending } from "../karpenter/pods.ts";
import { forKwok } from "../karpenter/pools.ts";
import type { Karpenter } from "../karpenter/start-karpenter.ts";
import { ALWAYS, CUSTOM, type Key } from "../oracle/label-pools.ts";
import { renderRawPool } from "../property/render-raw-pool.ts";
import { enforce, type Entries, outcomeOf, poolOf, requirementsOf } from "./guarded-cluster.ts";
import type { LaunchRig } from "./launch-rig.ts";
import { policiesWithPools } from "./policies-and-pools.ts";

const KWOK = otherProvider("karpenter.kwok.sh");
const NODE_POOLS = "/apis/karpenter.sh/v1/nodepools";
const NODE_CLAIMS = "/apis/karpenter.sh/v1/nodeclaims";

/** Labels of every instance type of kwok. */
const COMMON_KEYS: readonly Key[] = [
  ...ALWAYS.filter(({ names }) => names[0] === "karpenter.sh/capacity-type"),
  { names: ["kubernetes.io/arch", "beta.kubernetes.io/arch"], values: ["amd64", "arm64"], numbers: false },
  { names: ["topology.kubernetes.io/zone"], values: ["test-zone-a", "test-zone-b", "test-zone-c"], numbers: false },
];
const KWOK_KEYS: readonly Key[] = [
  { names: ["karpenter.kwok.sh/instance-cpu"], values: ["1", "2", "4", "8", "16"], numbers: true },
  { names: ["karpenter.kwok.sh/instance-family"], values: ["c", "m", "s"], numbers: false },
];
const [TIER] = CUSTOM;

interface Size {
  readonly policies: number;
  /** For each policy. */
  readonly pools: number;
  readonly seed: number;
}

export interface LaunchComparison {
  readonly seen: Readonly<Record<string, number>>;
  /** Stored, launched or labelled differently than anp predicted. */
  readonly apart: readonly unknown[];
}

/** What holds a policy for NodePools: the admission of the API server, or rendering before they are applied. */
interface Holder {
  /** Before the names of its pools and pods, whose events stay in the cluster. */
  readonly prefix: string;
  readonly keys: readonly Key[];
  readonly provider: Provider;
  readonly prepare: (controlPlane: ControlPlane, policy: Entries) => Promise<void>;
  /** The object that its author applies; undefined if it is refused before. */
  readonly applied: (policy: Entries, pool: KubernetesObject) => KubernetesObject | undefined;
}

export const BY_GUARD: Holder = {
  prefix: "guarded",
  keys: [...COMMON_KEYS, ...KWOK_KEYS, TIER!],
  provider: KWOK,
  prepare: (controlPlane, policy) => enforce(controlPlane, policy, { provider: KWOK }),
  applied: (_policy, pool) => forKwok(pool),
};

/** anp renders for AWS, so the class is replaced afterwards, and nothing else. */
export const BY_RENDERING: Holder = {
  prefix: "rendered",
  keys: [...COMMON_KEYS, TIER!],
  provider: AWS,
  prepare: async () => {},
  applied: (policy, pool) => {
    const { object } = renderRawPool(policy, pool as KubeObject);
    return object === undefined ? undefined : forKwok(object as unknown as KubernetesObject);
  },
};

export async function compareLaunches(
  rig: LaunchRig,
  holder: Holder,
  { policies, pools, seed }: Size,
): Promise<LaunchComparison> {
  const of = fc.uniqueArray(fc.constantFrom(...holder.keys), { minLength: 1, maxLength: 3 });
  const cases = fc.sample(policiesWithPools(pools, { lethal: false, of }), { numRuns: policies, seed });
  const seen = new Map<string, number>();
  const apart: unknown[] = [];
  for (const [turn, { policy, pools: parts }] of cases.entries()) {
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    const { karpenter } = rig;
    await holder.prepare(karpenter.controlPlane, policy);
    const stored: KubernetesObject[] = [];
    for (const [index, { own, labels }] of parts.entries()) {
      const pool = holder.applied(policy, poolFor(`${holder.prefix}-${turn}-${index}`, own, labels));
      const answer = pool === undefined ? undefined : await create(karpenter.controlPlane, "guest-admin", pool);
      const outcome = answer === undefined ? "refused" : outcomeOf(answer);
      if (/is invalid/.test(outcome)) {
        count("Karpenter's CRD refuses it");
        continue;
      }
      const foretold = admitPool(policy, { requirements: own, labels }, undefined, holder.provider.labels);
      const isStored = outcome === "stored";
      count(isStored ? "stored" : "refused");
      const isForetold = isStored
        ? "stored" in foretold && sameValue(requirementsOf(answer!.body), foretold.stored)
        : "refused" in foretold && foretold.refused === "bypass";
      if (!isForetold) apart.push({ policy, own, labels, outcome, foretold });
      if (isStored) stored.push(answer!.body);
    }
    for (const difference of await launchEach(rig, { policy, stored, turn, count })) apart.push(difference);
    await clean(karpenter);
  }
  return { seen: Object.fromEntries(seen), apart };
}

interface Turn {
  readonly policy: Entries;
  readonly stored: readonly KubernetesObject[];
  readonly turn: number;
  readonly count: (what: string) => void;
}

/** One pod for each pool, which no other pool accepts. */
async function launchEach(rig: LaunchRig, { policy, stored, turn, count }: Turn): Promise<unknown[]> {
  const { karpenter } = rig;
  if (stored.length === 0) return [];
  await settled(karpenter, stored);
  const pending = stored.map(({ metadata }, index): PendingPod => {
    const name = metadata!.name!;
    return { name, pools: [name], cpu: `${101 + turn * 20 + index}m` };
  });
  const pods = pending.map(podFor);
  const said = await explained(rig, stored, pods);
  await createPending(karpenter.controlPlane, pods);
  const decisions = await decisionsOn(karpenter, pending);
  return pending.flatMap(({ name }) => {
    const decision = decisions.get(name)!;
    const pod = said.pods.find((one) => one.name === name)!;
    const pool = said.nodePools.find((one) => one.name === name)!;
    count("nothing" in decision ? "nothing launched" : "launched");
    const differences = differencesOf(decision, pod, pool, policy);
    return differences.length === 0 ? [] : [{ name, policy, pool: pool.requirements, differences }];
  });
}

function differencesOf(decision: Decision, pod: PlacedPod, pool: DescribedPool, policy: Entries): string[] {
  if ("nothing" in decision) return pod.takenBy === null ? [] : [`nothing launched: ${decision.nothing}`];
  if (pod.takenBy === null) return [`launched ${decision.candidates.join(" ")}`];
  const types = [...new Set(pod.instanceTypes).symmetricDifference(new Set(decision.candidates))];
  // Karpenter generates an excluded number there, as explain reports.
  const drifting = new Set(pool.requirements.flatMap(({ key, outcome }) => (outcome === "drifts" ? key : [])));
  const labels = pool.requirements.flatMap(({ key, set }) => {
    const value = decision.labels[key];
    return drifting.has(key) || admits(set, value) ? [] : [`label ${key}=${value}, and not ${JSON.stringify(set)}`];
  });
  const absent = new Set(pool.requirements.flatMap(({ key, set }) => (set.operator === "DoesNotExist" ? key : [])));
  // Checks each entry of the policy without anp's algebra; skipped if its own entries contradict.
  const outside = policy.flatMap((entry) => {
    const key = entry.key.replace("beta.", "");
    const value = decision.labels[key];
    if (drifting.has(key)) return [];
    return isWithin(entry, value) || (value === undefined && absent.has(key))
      ? []
      : [`label ${entry.key}=${value} is outside ${JSON.stringify(entry)}`];
  });
  return [...types.map((type) => `only one of them has ${type}`), ...labels, ...outside];
}

function admits(set: DescribedPool["requirements"][number]["set"], value: string | undefined): boolean {
  const { operator, values, gte, lte } = set;
  if (operator === "DoesNotExist") return value === undefined;
  if (value === undefined) return operator === "NotIn";
  if (gte !== null && Number(value) < Number(gte)) return false;
  if (lte !== null && Number(value) > Number(lte)) return false;
  if (operator === "In") return values.includes(value);
  return operator === "NotIn" ? !values.includes(value) : true;
}

function isWithin({ operator, values = [] }: Entries[number], value: string | undefined): boolean {
  const number = Number(value);
  const bound = Number(values[0]);
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return number > bound;
    case "Gte":
      return number >= bound;
    case "Lt":
      return number < bound;
    case "Lte":
      return number <= bound;
  }
}

interface Explained {
  readonly nodePools: readonly DescribedPool[];
  readonly pods: readonly PlacedPod[];
}

/** As a user who exports the pools. */
async function explained(
  { catalogue, folder }: LaunchRig,
  pools: readonly KubernetesObject[],
  pods: readonly KubernetesObject[],
): Promise<Explained> {
  const text = (objects: readonly object[]): string => objects.map((object) => stringify(object)).join("---\n");
  const file = join(folder, "guarded-pods.yaml");
  await writeFile(file, text(pods));
  const args = ["explain", "-", "-o", "json", "--catalogue", catalogue, "--pods", file];
  const { stdout, stderr } = await run(import.meta.dirname, args, text(pools));
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Explained;
}

/** Karpenter has seen each of them, and skips none for other reasons than requirements. */
async function settled(karpenter: Karpenter, pools: readonly KubernetesObject[]): Promise<void> {
  const names = pools.map(({ metadata }) => metadata!.name!);
  await karpenter.waitFor("all pools Ready", async () => {
    const live = await listOf(karpenter.controlPlane, NODE_POOLS);
    const ready = new Set(live.filter(isReady).map(({ metadata }) => metadata?.name));
    return names.every((name) => ready.has(name)) ? true : undefined;
  });
}

function isReady({ status }: KubernetesObject): boolean {
  const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.some(({ type, status: is }) => type === "Ready" && is === "True");
}

/** Pods first: Karpenter would replace a removed node for them. */
async function clean(karpenter: Karpenter): Promise<void> {
  const { controlPlane } = karpenter;
  for (const path of ["/api/v1/namespaces/default/pods", NODE_POOLS, NODE_CLAIMS])
    await controlPlane.request("system:admin", "DELETE", path);
  await karpenter.waitFor("no NodeClaim is left", async () =>
    (await listOf(controlPlane, NODE_CLAIMS)).length === 0 ? true : undefined,
  );
}

async function listOf(controlPlane: ControlPlane, path: string): Promise<readonly KubernetesObject[]> {
  const { status, body, text } = await controlPlane.request("system:admin", "GET", path);
  if (status !== 200) throw new Error(text);
  return body.items ?? [];
}

function poolFor(name: string, own: Entries, labels: Readonly<Record<string, string>>): KubernetesObject {
  const pool = poolOf(name, own, labels) as KubernetesObject & { spec: { template: { spec: object } } };
  const { template } = pool.spec;
  const spec = { ...template.spec, taints: [{ key: name, effect: "NoSchedule" }] };
  return { ...pool, spec: { ...pool.spec, template: { ...template, spec } } };
}

function podFor({ name, cpu }: PendingPod): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: {
      containers: [{ name: "main", image: "example.com/none", resources: { requests: { cpu } } }],
      tolerations: [{ key: name, operator: "Exists" }],
    },
  };
}

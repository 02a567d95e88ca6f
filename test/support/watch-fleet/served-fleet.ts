/** A fleet of fake guests behind a real management cluster, and replicas of the built anp that share it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { type ControlPlane, startControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { remove, waitEstablished } from "../controlplane/objects.ts";
import type { UserName } from "../controlplane/users.ts";
import { installOurCrds } from "../e2e/own-crds.ts";
import { buildOnce } from "../process/built.ts";
import {
  ARCH,
  CAPI_CLUSTER_CRD,
  CONTROL_PLANE,
  HOSTED_CONTROL_PLANE_CRD,
  isIn,
  policy,
  userData,
} from "../watch/inputs.ts";
import { ADMIN, put } from "../watch/rig.ts";
import { type TcpGate, tcpGate } from "../watch/tcp-gate.ts";
import { startWatch, type WatchProcess } from "../watch-process/start-watch.ts";
import type { GuestFill } from "./farm-table.ts";
import { type Farm, startFarm } from "./start-farm.ts";

/** Who each replica is in the management cluster, so that its audit log tells them apart. */
export const REPLICA_USERS: readonly UserName[] = [
  "system:hosted-cluster-config",
  "guest-admin",
  "system:serviceaccount:kube-system:generic-garbage-collector",
];

export interface ServedFleet {
  readonly management: ControlPlane;
  readonly farm: Farm;
  /** Hosted clusters of these names, with pools as given. */
  readonly add: (guests: Readonly<Record<string, GuestFill>>) => Promise<void>;
  /** Their HostedControlPlanes go. */
  readonly drop: (names: readonly string[]) => Promise<void>;
  /** New tokens, which are the only ones that the guest takes from now on. */
  readonly rotate: (names: readonly string[], turn: number) => Promise<void>;
  readonly start: (replica: number, options?: Parameters<typeof startWatch>[1]) => WatchProcess;
  /** Between a replica and all API servers, where the fleet has them. */
  readonly gates: (replica: number) => readonly TcpGate[];
  readonly stop: () => Promise<void>;
}

/** Which replica a guest's request comes from: a token in, its number out. */
export function replicaOf(token: string): number {
  return Number(/^replica-(\d)/.exec(token)?.[1]);
}

export function namespaceOf(name: string): string {
  return `clusters-${name}`;
}

const SECRET = "hcco-kubeconfig";
export const SHARDS = 32;
export const LEASES_IN = "anp";

/** As many requests at once. */
const AT_ONCE = 16;

interface FleetOptions {
  readonly replicas: number;
  /** Whether something stands between replicas and servers that can be cut. */
  readonly isGated: boolean;
  readonly interval?: string;
}

export async function startServedFleet({ replicas, isGated, interval = "5m" }: FleetOptions): Promise<ServedFleet> {
  await buildOnce();
  const management = await startControlPlane({ audited: REPLICA_USERS });
  const folder = mkdtempSync(join(tmpdir(), "anp-served-"));
  const farm = startFarm();
  const numbers = Array.from({ length: replicas }, (_, index) => index + 1);
  const gates = new Map<number, TcpGate[]>(numbers.map((replica) => [replica, []]));
  const tokens = new Map<string, number>();
  const ports = new Map<string, number>();
  const gated = async (replica: number, port: number): Promise<number> => {
    if (!isGated) return port;
    const gate = await tcpGate(port);
    gates.get(replica)!.push(gate);
    return gate.port;
  };
  const ways = new Map<string, readonly number[]>();

  for (const crd of [HOSTED_CONTROL_PLANE_CRD, CAPI_CLUSTER_CRD]) await put(management, crd);
  await installOurCrds(management, "hypershift");
  await waitEstablished(
    management,
    [HOSTED_CONTROL_PLANE_CRD, CAPI_CLUSTER_CRD].map(({ metadata }) => metadata!.name!),
  );
  await put(management, { apiVersion: "v1", kind: "Namespace", metadata: { name: LEASES_IN } });
  await farm.open({
    cert: management.ca,
    key: readFileSync(join(dirname(management.auditLog), "apiserver.key"), "utf8"),
  });
  const managementPort = new URL(management.url).port;
  const configs = await Promise.all(numbers.map((replica) => configOf(replica)));

  async function configOf(replica: number): Promise<string> {
    const kubeconfig = join(folder, `management-${replica}.kubeconfig`);
    const port = await gated(replica, Number(managementPort));
    const text = management.kubeconfig(REPLICA_USERS[replica - 1]!);
    writeFileSync(kubeconfig, text.replace(`:${managementPort}`, `:${port}`));
    const discover = { management: { kubeconfig }, kubeconfigSecret: { name: SECRET, key: keyOf(replica) } };
    const sharding = { shards: SHARDS, namespace: LEASES_IN };
    const path = join(folder, `watch-${replica}.yaml`);
    const spec = { interval, concurrency: 8, listen: "127.0.0.1:0", discover, sharding };
    writeFileSync(path, toYaml({ apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "WatchConfig", spec }));
    return path;
  }
  /** With a kubeconfig for each replica. */
  const putSecret = (name: string): Promise<void> => {
    const data = Object.fromEntries(
      numbers.map((replica) => {
        const text = kubeconfigText(management.ca, ways.get(name)![replica - 1]!, tokenOf(replica, tokens.get(name)!));
        return [keyOf(replica), Buffer.from(text).toString("base64")];
      }),
    );
    return put(management, { apiVersion: "v1", kind: "Secret", metadata: placed(SECRET, name), data });
  };
  const setTokens = (name: string, turn: number): Promise<void> => {
    tokens.set(name, turn);
    return farm.setTokens(
      name,
      numbers.map((replica) => tokenOf(replica, turn)),
    );
  };
  return {
    management,
    farm,
    add: (guests) =>
      inTurns(Object.entries(guests), async ([name, fill]) => {
        const port = await farm.add(name, fill);
        ports.set(name, port);
        ways.set(name, await Promise.all(numbers.map((replica) => gated(replica, port))));
        await setTokens(name, 1);
        await put(management, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespaceOf(name) } });
        const law = policy([isIn(ARCH, "amd64")]);
        await put(management, { ...law, metadata: placed("default", name) });
        await putSecret(name);
        await put(management, userDataOf(name));
        await put(management, { ...CONTROL_PLANE, metadata: placed(name, name) });
      }),
    drop: (names) =>
      inTurns(names, async (name) => {
        await remove(management, ADMIN, { ...CONTROL_PLANE, metadata: placed(name, name) });
      }),
    rotate: (names, turn) =>
      inTurns(names, async (name) => {
        await setTokens(name, turn);
        await putSecret(name);
      }),
    start: (replica, options = {}) => startWatch(["--config", configs[replica - 1]!], { program: "built", ...options }),
    gates: (replica) => gates.get(replica)!,
    stop: async () => {
      farm.stop();
      for (const gate of [...gates.values()].flat()) gate.close();
      await management.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Each has its turn, with several at once. */
async function inTurns<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items];
  const work = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function placed(name: string, cluster: string) {
  return { name, namespace: namespaceOf(cluster) };
}

/** Of its class, so that nothing of it is held. */
function userDataOf(cluster: string): KubernetesObject {
  const { metadata, ...rest } = userData("default");
  const annotations = { "hypershift.openshift.io/nodePool": `${namespaceOf(cluster)}/default-karpenter` };
  return { ...rest, metadata: { ...metadata, namespace: namespaceOf(cluster), annotations } };
}

function keyOf(replica: number): string {
  return `replica-${replica}`;
}

function tokenOf(replica: number, turn: number): string {
  return `replica-${replica}-${turn}`;
}

function kubeconfigText(ca: string, port: number, token: string): string {
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    "certificate-authority-data": Buffer.from(ca).toString("base64"),
  };
  return toYaml({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "anp",
    clusters: [{ name: "guest", cluster }],
    users: [{ name: "anp", user: { token } }],
    contexts: [{ name: "anp", context: { cluster: "guest", user: "anp" } }],
  });
}

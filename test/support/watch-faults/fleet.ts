/** Several hosted clusters in one WatchConfig: a management cluster and a guest cluster for each, all real. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { type ControlPlane, startControlPlane } from "../controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../controlplane/karpenter-crds.ts";
import { waitEstablished } from "../controlplane/objects.ts";
import { installOurCrds } from "../e2e/own-crds.ts";
import { CONTROL_PLANE, type Entry, HOSTED_CONTROL_PLANE_CRD, policy, pool } from "../watch/inputs.ts";
import { OPERATOR, put } from "../watch/rig.ts";
import { type TcpGate, tcpGate } from "../watch/tcp-gate.ts";

export interface Fleet {
  readonly guest: (name: string) => ControlPlane;
  /** Between anp and the guest of a cluster. */
  readonly gate: (name: string) => TcpGate;
  readonly setPolicy: (name: string, entries: readonly Entry[]) => Promise<void>;
  /** The file of the WatchConfig, with a pass each second. */
  readonly config: string;
  readonly stop: () => Promise<void>;
}

/** Each with a policy and the pool `web`. */
export async function startFleet(names: readonly string[]): Promise<Fleet> {
  const [management, ...guests] = await Promise.all(["", ...names].map(() => startControlPlane()));
  if (management === undefined) throw new Error("no management cluster");
  const folder = mkdtempSync(join(tmpdir(), "anp-fleet-"));
  await put(management, HOSTED_CONTROL_PLANE_CRD);
  await installOurCrds(management, "hypershift");
  await waitEstablished(management, [HOSTED_CONTROL_PLANE_CRD.metadata!.name!]);
  const written = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const byName = new Map(names.map((name, index) => [name, guests[index]!]));
  const gates = new Map<string, TcpGate>();
  const setPolicy = (name: string, entries: readonly Entry[]) => put(management, inNamespace(policy(entries), name));
  const access = { kubeconfig: written("management", management.kubeconfig("guest-admin")) };
  for (const [name, guest] of byName) {
    for (const crd of await karpenterCrds("hypershift")) await put(guest, crd);
    await installOurCrds(guest, "hypershift");
    await waitEstablished(guest, KARPENTER_CRD_NAMES);
    await put(management, { apiVersion: "v1", kind: "Namespace", metadata: { name: `clusters-${name}` } });
    await put(management, inNamespace(CONTROL_PLANE, name));
    await setPolicy(name, []);
    await put(guest, pool("web"));
    gates.set(name, await tcpGate(Number(new URL(guest.url).port)));
  }
  const clusters = names.map((name) => {
    const guest = byName.get(name)!;
    const text = guest.kubeconfig(OPERATOR).replace(guest.url, `https://127.0.0.1:${gates.get(name)!.port}`);
    return { name, namespace: `clusters-${name}`, management: access, guest: { kubeconfig: written(name, text) } };
  });
  const apiVersion = "anp.hypershift.openshift.io/v1alpha1";
  const config = { apiVersion, kind: "WatchConfig", spec: { interval: "1s", clusters } };
  return {
    guest: (name) => byName.get(name)!,
    gate: (name) => gates.get(name)!,
    setPolicy,
    config: written("watch.yaml", toYaml(config)),
    stop: async () => {
      for (const gate of gates.values()) gate.close();
      await Promise.all([management, ...guests].map((controlPlane) => controlPlane.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function inNamespace<T extends { metadata?: object }>(object: T, name: string): T {
  return { ...object, metadata: { ...object.metadata, namespace: `clusters-${name}` } };
}

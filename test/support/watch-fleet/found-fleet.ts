/** Hosted clusters that a real management cluster has and whose guests are of this process: names in, all of it out. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { remove } from "../controlplane/objects.ts";
import { CONTROL_PLANE, type Entry, nodeClass, policy, pool } from "../watch/inputs.ts";
import { ADMIN, put, type Rig } from "../watch/rig.ts";
import { type FakeGuest, startFakeGuest } from "./fake-guest.ts";
import { CLASSES, CRDS, WRAPPERS } from "./guest-places.ts";

export interface FoundFleet {
  /** A hosted cluster with one pool; `label` is one of its HostedControlPlane. */
  readonly add: (name: string, label?: string) => Promise<FakeGuest>;
  readonly guest: (name: string) => FakeGuest;
  /** Its HostedControlPlane goes; its namespace stays. */
  readonly drop: (name: string) => Promise<void>;
  readonly setPolicy: (name: string, entries: readonly Entry[]) => Promise<void>;
  /** The text of its settings; none takes them away. */
  readonly set: (name: string, settings: string | undefined) => Promise<void>;
  /** A kubeconfig with this token, which is the only one that the guest takes from now on. */
  readonly rotate: (name: string, token: string) => Promise<void>;
  readonly setKubeconfig: (name: string, text: string) => Promise<void>;
  /** The text of its kubeconfig. */
  readonly kubeconfig: (name: string, token: string) => string;
  /** The file of a WatchConfig that finds them. */
  readonly config: (discover?: object, spec?: object) => string;
  readonly stop: () => Promise<void>;
}

export function namespaceOf(name: string): string {
  return `clusters-${name}`;
}

const SECRET = "hcco-kubeconfig";

export function foundFleet(rig: Rig): FoundFleet {
  const folder = dirname(rig.guest.auditLog);
  const tls = { cert: rig.guest.ca, key: readFileSync(join(folder, "apiserver.key"), "utf8") };
  const guests = new Map<string, FakeGuest>();
  let files = 0;
  const guest = (name: string): FakeGuest => guests.get(name)!;
  const kubeconfig = (name: string, token: string): string =>
    toYaml({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "admin",
      clusters: [
        {
          name: "cluster",
          cluster: {
            server: guest(name).url,
            "certificate-authority-data": Buffer.from(rig.guest.ca).toString("base64"),
          },
        },
      ],
      users: [{ name: "admin", user: { token } }],
      contexts: [{ name: "admin", context: { cluster: "cluster", user: "admin" } }],
    });
  const setKubeconfig = (name: string, text: string) =>
    put(rig.management, secretOf(name, { kubeconfig: Buffer.from(text).toString("base64") }));
  const setPolicy = (name: string, entries: readonly Entry[]) => put(rig.management, within(policy(entries), name));
  const dropped = async (object: KubernetesObject): Promise<void> => {
    await remove(rig.management, ADMIN, object);
  };
  const fleet: FoundFleet = {
    guest,
    kubeconfig,
    setKubeconfig,
    setPolicy,
    add: async (name, label = "yes") => {
      const fake = await startFakeGuest(tls);
      guests.set(name, fake);
      for (const crd of ["openshiftnodepools", "openshiftec2nodeclasses"])
        fake.put(CRDS, { metadata: { name: `${crd}.karpenter.hypershift.openshift.io`, creationTimestamp: LONG_AGO } });
      fake.put(WRAPPERS, pool("web") as never);
      fake.put(CLASSES, nodeClass("default") as never);
      const metadata = { name: namespaceOf(name) };
      await put(rig.management, { apiVersion: "v1", kind: "Namespace", metadata });
      await setPolicy(name, []);
      await setKubeconfig(name, kubeconfig(name, "first"));
      const plane = within(CONTROL_PLANE, name);
      await put(rig.management, {
        ...plane,
        metadata: { ...plane.metadata, name, labels: { found: label } },
      });
      return fake;
    },
    drop: (name) => dropped({ ...within(CONTROL_PLANE, name), metadata: { name, namespace: namespaceOf(name) } }),
    set: async (name, settings) => {
      const metadata = { name: "anp-watch-settings", namespace: namespaceOf(name) };
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { "settings.yaml": settings ?? "" } };
      await (settings === undefined ? dropped(object) : put(rig.management, object));
    },
    rotate: async (name, token) => {
      guest(name).setToken(token);
      await setKubeconfig(name, kubeconfig(name, token));
    },
    config: (discover = {}, spec = {}) => {
      const path = join(rig.folder, `found-${files++}.yaml`);
      const management = { kubeconfig: rig.kubeconfig("management", "guest-admin") };
      writeFileSync(
        path,
        toYaml({
          apiVersion: "anp.hypershift.openshift.io/v1alpha1",
          kind: "WatchConfig",
          spec: { interval: "1h", ...spec, discover: { management, selector: "found=yes", ...discover } },
        }),
      );
      return path;
    },
    stop: async () => {
      for (const [name, fake] of guests) {
        fake.close();
        await fleet.drop(name);
        await fleet.set(name, undefined);
        await dropped(within(policy([]), name));
        await dropped(secretOf(name, {}));
        const inventory = `anp-inventory.${namespaceOf(name)}.${namespaceOf(name)}.0`;
        const metadata = { name: inventory, namespace: namespaceOf(name) };
        await dropped({ apiVersion: "v1", kind: "ConfigMap", metadata });
      }
    },
  };
  return fleet;
}

/** Older than whatever is made in a test. */
const LONG_AGO = "2020-01-01T00:00:00Z";

function within(object: KubernetesObject, name: string): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, namespace: namespaceOf(name) } };
}

function secretOf(name: string, data: object): KubernetesObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { name: SECRET, namespace: namespaceOf(name) }, data };
}

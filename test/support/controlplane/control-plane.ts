/** Starts an API server with etcd on the loopback interface. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitAccess } from "./access.ts";
import { auditPolicy } from "./audit.ts";
import { apiServerFlags, type ControlPlaneOptions, etcdFlags, FILES } from "./flags.ts";
import { freePorts } from "./free-ports.ts";
import { HttpsClient } from "./https-client.ts";
import { controlPlanePrograms, type Programs } from "./programs.ts";
import { readCertificate, StartError, waitFor } from "./ready.ts";
import type { ControlPlane } from "./running.ts";
import { ServerProcess } from "./server-process.ts";
import { CLUSTER_ADMINS, kubeconfigText, makeUsers, tokenFile, type User, type UserName } from "./users.ts";

export type { ControlPlane } from "./running.ts";

export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const programs = await controlPlanePrograms();
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(programs, options);
    } catch (error) {
      // Another process can take a free port before this one listens on it.
      const taken = error instanceof StartError && error.message.includes("address already in use");
      if (!taken || attempt === 3) throw error;
    }
  }
}

async function start(programs: Programs, options: ControlPlaneOptions): Promise<ControlPlane> {
  const [apiServerPort = 0, etcdPort = 0, peerPort = 0] = await freePorts(3);
  const url = `https://127.0.0.1:${apiServerPort}`;
  const addresses = {
    apiServerPort,
    etcd: `http://127.0.0.1:${etcdPort}`,
    etcdPeer: `http://127.0.0.1:${peerPort}`,
  };
  const users = makeUsers();
  const folder = makeFolder(users, options);
  const inFolder = (name: string): string => join(folder.path, name);

  const flags = apiServerFlags(folder.path, addresses, options);
  const etcd = new ServerProcess("etcd", programs.etcd, etcdFlags(folder.path, addresses), inFolder("etcd.log"));
  const runApiServer = () =>
    new ServerProcess("kube-apiserver", programs.apiServer, flags, inFolder("kube-apiserver.log"));
  let apiServer = runApiServer();
  const both = () => [etcd, apiServer];
  let client: HttpsClient | undefined;
  const stop = async (): Promise<void> => {
    client?.close();
    // Stop the API server first: without etcd it never ends.
    await apiServer.stop();
    await etcd.stop();
    folder.remove();
  };
  try {
    const ca = await waitFor("a certificate", both(), () => readCertificate(inFolder(FILES.certificate)));
    const connected = new HttpsClient(url, ca);
    client = connected;
    await waitFor("ready", both(), () => isReady(connected, users));
    const request: ControlPlane["request"] = (user, method, path, body, headers) =>
      connected.send(users[user].token, method, path, body, headers);
    await Promise.all(CLUSTER_ADMINS.map((name) => bindClusterAdmin({ request }, name)));
    return {
      url,
      ca,
      users,
      get pids() {
        return { etcd: etcd.pid, apiServer: apiServer.pid };
      },
      auditLog: inFolder(FILES.auditLog),
      request,
      kubeconfig: (user) => kubeconfigText(url, ca, users[user]),
      killApiServer: async () => {
        apiServer.kill();
        await apiServer.stop();
      },
      startApiServer: async () => {
        apiServer = runApiServer();
        await waitFor("ready", both(), () => isReady(connected, users));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function makeFolder(
  users: Record<UserName, User>,
  { audited }: ControlPlaneOptions,
): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "anp-control-plane-"));
  const remove = (): void => {
    process.off("exit", remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.on("exit", remove);
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "sec1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  writeFileSync(join(path, FILES.signingKey), privateKey, { mode: 0o600 });
  writeFileSync(join(path, FILES.tokens), tokenFile(users), { mode: 0o600 });
  if (audited !== undefined) writeFileSync(join(path, FILES.auditPolicy), auditPolicy(audited));
  return { path, remove };
}

async function isReady(client: HttpsClient, users: Record<UserName, User>): Promise<true | undefined> {
  const answer = await client.send(users["system:admin"].token, "GET", "/readyz").catch(() => undefined);
  return answer?.status === 200 ? true : undefined;
}

async function bindClusterAdmin(controlPlane: Pick<ControlPlane, "request">, name: UserName): Promise<void> {
  const api = "rbac.authorization.k8s.io";
  const binding = {
    apiVersion: `${api}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: `test:${name.replaceAll(":", ".")}` },
    roleRef: { apiGroup: api, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup: api, kind: "User", name }],
  };
  const path = `/apis/${api}/v1/clusterrolebindings`;
  const { status, text } = await controlPlane.request("system:admin", "POST", path, binding);
  if (status !== 201) throw new Error(`binding of ${name} to cluster-admin: ${status} ${text}`);
  await waitAccess(controlPlane, name, { verb: "*", group: "*", resource: "*" });
}

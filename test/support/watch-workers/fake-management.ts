/** A management API server with one hosted control plane and nothing else: enough for a watch to begin its work there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { issue, newAuthority } from "../webhook/issue.ts";

interface FakeManagement {
  /** The file of a WatchConfig that finds the hosted cluster. */
  readonly config: string;
  readonly close: () => void;
}

const NAMESPACE = "clusters-lonely";

/** @param folder for files @param spec beside what is found */
async function startFakeManagement(folder: string, spec: object = {}): Promise<FakeManagement> {
  const authority = newAuthority();
  const server = createServer(issue(["127.0.0.1"], authority), (request, response) => {
    const url = new URL(request.url ?? "/", "http://management");
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    if (url.searchParams.get("watch") === "true") return response.writeHead(200).flushHeaders();
    if (url.pathname === "/version") return send(200, { major: "1", minor: "36" });
    if (/\/secrets\/[\w-]+$/.test(url.pathname))
      return send(404, { kind: "Status", reason: "NotFound", message: "no such Secret", code: 404 });
    const metadata = { name: "lonely", namespace: NAMESPACE, uid: "1", resourceVersion: "1" };
    const items = url.pathname.endsWith("/hostedcontrolplanes") ? [{ metadata, spec: {} }] : [];
    return send(200, { metadata: { resourceVersion: "1" }, items });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(folder, "management.json");
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "c",
      clusters: [
        {
          name: "c",
          cluster: {
            server: `https://127.0.0.1:${port}`,
            "certificate-authority-data": Buffer.from(authority.cert).toString("base64"),
          },
        },
      ],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    }),
  );
  const config = join(folder, "watch.json");
  const discover = { management: { kubeconfig } };
  const kind = { apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "WatchConfig" };
  writeFileSync(config, JSON.stringify({ ...kind, spec: { ...spec, discover } }));
  return {
    config,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Runs a program until a pass in a worker has told that there is no kubeconfig, and ends it.
 *
 * @param program with its first arguments
 */
export async function workOnce(
  folder: string,
  [program = "", ...first]: readonly string[],
): Promise<{ readonly exit: number | NodeJS.Signals; readonly log: string }> {
  const management = await startFakeManagement(folder, { workers: { count: 2, memory: "96Mi" } });
  try {
    const args = [...first, "watch", "--config", management.config, "--log-format", "logfmt"];
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      // A second signal would end it at once.
      if (!child.killed && log.includes("msg=reconciled")) child.kill();
    });
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return { exit: code ?? signal!, log };
  } finally {
    management.close();
  }
}

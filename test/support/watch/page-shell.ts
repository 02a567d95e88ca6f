/** A shell that types the commands of a page: kubectl with the contexts `management` and `guest` of two real clusters, and anp. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { UserName } from "../controlplane/users.ts";
import { NODE, ROOT } from "../process/built.ts";
import { OPERATOR, type Rig } from "./rig.ts";

/** Where kubectl is; empty if it is not installed. */
export const KUBECTL = spawnSync("sh", ["-c", "command -v kubectl"], { encoding: "utf8" }).stdout.trim();

export interface PageShell {
  /** Of each program that runs beside it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that `kubectl logs` shows. */
  readonly log: string;
  /** Both outputs of a command. */
  readonly typed: (command: string) => Promise<string>;
}

export function pageShell(rig: Rig): PageShell {
  const kubeconfig = join(rig.folder, "kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(bothContexts(rig)));
  const bin = join(rig.folder, "bin");
  mkdirSync(bin, { recursive: true });
  const program = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  const main = `import { main } from "${ROOT}src/main.ts"; process.exit(await main(process.argv.slice(1)))`;
  program("anp", `exec "${NODE}" --input-type=module -e '${main}' -- "$@"`);
  const log = join(rig.folder, "anp.log");
  const cache = join(rig.folder, "cache");
  // There are no pods here: the log is that of a process.
  program(
    "kubectl",
    `case " $* " in *" logs "*) exec cat "${log}";; esac\nexec ${KUBECTL} --cache-dir "${cache}" "$@"`,
  );
  const env = { ...process.env, KUBECONFIG: kubeconfig, LC_ALL: "C", PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  return {
    env,
    log,
    typed: async (command) => {
      const shell = spawn("sh", ["-c", `{ ${command}; } 2>&1`], { cwd: rig.folder, env });
      let text = "";
      shell.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
      await once(shell, "close");
      return text;
    },
  };
}

function bothContexts({ management, guest }: Rig): object {
  const context = (name: string, on: ControlPlane, user: UserName) => ({
    cluster: { name, cluster: { server: on.url, "certificate-authority-data": Buffer.from(on.ca).toString("base64") } },
    user: { name, user: { token: on.users[user].token } },
    context: { name, context: { cluster: name, user: name } },
  });
  const both = [context("management", management, "guest-admin"), context("guest", guest, OPERATOR)];
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: both.map(({ cluster }) => cluster),
    users: both.map(({ user }) => user),
    contexts: both.map(({ context: one }) => one),
  };
}

/** kubectl on a control plane, as one of its users: arguments and input in, exit code and streams out. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { UserName } from "../controlplane/users.ts";
import { goProgram } from "../go/programs.ts";

interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Kubectl = (args: readonly string[], input?: string | object, env?: Record<string, string>) => Ran;

/** @param folder for its kubeconfig and caches */
export async function kubectlOf(controlPlane: ControlPlane, user: UserName, folder: string): Promise<Kubectl> {
  const program = await goProgram("kubectl");
  const home = join(folder, `kubectl-${user}`);
  mkdirSync(home, { recursive: true });
  const kubeconfig = join(home, "kubeconfig");
  writeFileSync(kubeconfig, controlPlane.kubeconfig(user), { mode: 0o600 });
  return (args, input = "", env = {}) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      input: typeof input === "string" ? input : JSON.stringify(input),
      encoding: "utf8",
      timeout: 120_000,
      env: { ...process.env, HOME: home, TMPDIR: home, KUBECONFIG: kubeconfig, ...env },
    });
    return { exit: status, stdout, stderr };
  };
}

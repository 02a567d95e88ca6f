/** Compares an object of an Application with the cluster as Argo CD does. */
import { spawnSync } from "node:child_process";
import { goProgram } from "../go/programs.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

export interface Compared {
  readonly modified: boolean;
  readonly live: KubernetesObject;
  readonly predicted: KubernetesObject;
}

export interface Application {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: object;
}

export async function compareAsArgo(
  kubeconfig: string,
  application: Application,
  target: KubernetesObject,
): Promise<Compared> {
  const program = await goProgram("argocd");
  const input = JSON.stringify({ application, target });
  const { status, stdout, stderr } = spawnSync(program, ["diff", kubeconfig], {
    input,
    encoding: "utf8",
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Compared;
}

/** The commands that start etcd and kube-apiserver. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { controlPlaneProgram, goProgram } from "../go/programs.ts";

/** A program and its first arguments. */
export type Command = [program: string, ...args: string[]];

export interface Programs {
  etcd: Command;
  apiServer: Command;
}

export async function controlPlanePrograms(): Promise<Programs> {
  const assets = givenAssets();
  if (assets !== undefined) {
    return { etcd: [join(assets, "etcd")], apiServer: [join(assets, "kube-apiserver")] };
  }
  const program = await goProgram(controlPlaneProgram());
  return { etcd: [program, "etcd"], apiServer: [program, "kube-apiserver"] };
}

/** The folder of controller-runtime's envtest, if it is set. */
function givenAssets(): string | undefined {
  const folder = process.env["KUBEBUILDER_ASSETS"];
  if (!folder) return undefined;
  for (const name of ["etcd", "kube-apiserver"]) {
    if (!existsSync(join(folder, name))) throw new Error(`KUBEBUILDER_ASSETS: no ${name} in ${folder}`);
  }
  return folder;
}

/** The two programs of a control plane: out come the commands that start etcd and kube-apiserver, or why there are none. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildGoProgram } from "../go/build.ts";
import { goMissing } from "../go/toolchain.ts";

/** A program and its first arguments. */
export type Command = [program: string, ...args: string[]];

export interface Programs {
  etcd: Command;
  apiServer: Command;
}

/** Why suites that need a control plane must be skipped, which is printed as well; undefined when they can run. */
export async function controlPlaneMissing(): Promise<string | undefined> {
  if (givenAssets() !== undefined) return undefined;
  return goMissing("tests with a control plane");
}

export async function controlPlanePrograms(): Promise<Programs> {
  const assets = givenAssets();
  if (assets !== undefined) {
    return { etcd: [join(assets, "etcd")], apiServer: [join(assets, "kube-apiserver")] };
  }
  const built = await buildGoProgram({
    module: import.meta.dirname,
    package: ".",
    name: "controlplane",
  });
  if ("skipped" in built) throw new Error(`no control plane: ${built.skipped}`);
  return { etcd: [built.path, "etcd"], apiServer: [built.path, "kube-apiserver"] };
}

/** The folder that controller-runtime's envtest uses, where it is set. */
function givenAssets(): string | undefined {
  const folder = process.env["KUBEBUILDER_ASSETS"];
  if (!folder) return undefined;
  for (const name of ["etcd", "kube-apiserver"]) {
    if (!existsSync(join(folder, name))) throw new Error(`KUBEBUILDER_ASSETS: no ${name} in ${folder}`);
  }
  return folder;
}

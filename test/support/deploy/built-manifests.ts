/** Manifests as `kustomize build` makes them: a folder in, its objects out. */
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { goProgram } from "../go/programs.ts";
import { kustomizeBuild } from "../kustomize/kustomize.ts";
import { ROOT } from "../process/built.ts";

/** In the order in which kustomize gives them, and kubectl applies them. */
export async function builtManifests(folder: string, root = ROOT): Promise<KubernetesObject[]> {
  const program = await goProgram("kustomize");
  const { exit, stdout, stderr } = kustomizeBuild(program, join(root, folder));
  if (exit !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).map((document) => document.toJSON() as KubernetesObject);
}

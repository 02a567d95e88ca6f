/** The Go programs of the tests: a name in, the path of the program out, built once and kept. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildGoProgram, builtPath, type GoProgram } from "./build.ts";

interface Described {
  /** The folder below test/ that holds the go.mod. */
  readonly folder: string;
  /** Import path; without one the module's own main package. */
  readonly package?: string;
  /** What a first build takes on two processors, with the modules still to be fetched. */
  readonly minutes: number;
}

const PROGRAMS = {
  controlplane: { folder: "controlplane", minutes: 6 },
  karpenter: { folder: "karpenter", minutes: 3 },
  oracle: { folder: "oracle", minutes: 3 },
  "oracle-v1beta1": { folder: "oracle-v1beta1", minutes: 1 },
  kustomize: { folder: "kustomize", package: "sigs.k8s.io/kustomize/kustomize/v5", minutes: 1 },
  argocd: { folder: "argocd", minutes: 3 },
  kubectl: { folder: "kubectl", minutes: 2 },
  krew: { folder: "krew", package: "sigs.k8s.io/krew/cmd/krew", minutes: 1 },
  "validate-krew-manifest": { folder: "krew", package: "sigs.k8s.io/krew/cmd/validate-krew-manifest", minutes: 1 },
  "oracle-provider": { folder: "oracle-provider", minutes: 5 },
  yq: { folder: "bench/peers", package: "github.com/mikefarah/yq/v4", minutes: 1 },
  kubeconform: { folder: "bench/peers", package: "github.com/yannh/kubeconform/cmd/kubeconform", minutes: 1 },
} as const satisfies Readonly<Record<string, Described>>;

export type ProgramName = keyof typeof PROGRAMS;

/** @throws Error where there is no Go to build it with, or with what the compiler said */
export function goProgram(name: ProgramName): Promise<string> {
  return buildGoProgram(programOf(name));
}

export async function isBuilt(name: ProgramName): Promise<boolean> {
  return existsSync(await builtPath(programOf(name)));
}

function programOf(name: ProgramName): GoProgram {
  const { folder, package: path = "." }: Described = PROGRAMS[name];
  return { module: join(import.meta.dirname, "..", folder), package: path, name };
}

export function usualMinutes(name: ProgramName): number {
  return PROGRAMS[name].minutes;
}

/** The Go programs of the tests, by name; each is built once and cached. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildGoProgram, builtPath, type GoProgram } from "./build.ts";

interface Described {
  /** The folder below test/ that holds the go.mod. */
  readonly folder: string;
  /** Import path; without one the module's own main package. */
  readonly package?: string;
  /** Another go.mod of the folder: `MODFILE.mod`. */
  readonly modfile?: string;
  /** The time of a first build on two processors, including downloads of the modules. */
  readonly minutes: number;
}

const PROGRAMS = {
  controlplane: { folder: "controlplane", minutes: 6 },
  "controlplane-1.37": { folder: "controlplane", modfile: "kubernetes-1.37", minutes: 8 },
  karpenter: { folder: "karpenter", minutes: 3 },
  "karpenter-1.15": { folder: "karpenter", modfile: "karpenter-1.15", minutes: 5 },
  oracle: { folder: "oracle", minutes: 3 },
  "oracle-1.15": { folder: "oracle", modfile: "karpenter-1.15", minutes: 4 },
  "oracle-v1beta1": { folder: "oracle-v1beta1", minutes: 1 },
  kustomize: { folder: "kustomize", package: "sigs.k8s.io/kustomize/kustomize/v5", minutes: 1 },
  argocd: { folder: "argocd", minutes: 3 },
  kubectl: { folder: "kubectl", minutes: 2 },
  krew: { folder: "krew", package: "sigs.k8s.io/krew/cmd/krew", minutes: 1 },
  "validate-krew-manifest": { folder: "krew", package: "sigs.k8s.io/krew/cmd/validate-krew-manifest", minutes: 1 },
  "oracle-provider": { folder: "oracle-provider", minutes: 5 },
  "oracle-provider-1.15": { folder: "oracle-provider", modfile: "karpenter-1.15", minutes: 6 },
  yq: { folder: "bench/peers", package: "github.com/mikefarah/yq/v4", minutes: 1 },
  kubeconform: { folder: "bench/peers", package: "github.com/yannh/kubeconform/cmd/kubeconform", minutes: 1 },
} as const satisfies Readonly<Record<string, Described>>;

export type ProgramName = keyof typeof PROGRAMS;

/** The Karpenter of a program: core 1.14.1 with provider 1.14.1, or core 1.15.0 with provider 1.15.1. */
export type KarpenterVersion = "1.14" | "1.15";

interface ClusterVersions {
  readonly kubernetes: "1.36" | "1.37";
  readonly karpenter: KarpenterVersion;
}

/**
 * What suites with a cluster run by default: Kubernetes 1.37.2 with Karpenter 1.15.0. The whole soak runs the suites of
 * guards and of Karpenter with the older pair too, Kubernetes 1.36.3 with Karpenter 1.14.1.
 */
export const CLUSTER: ClusterVersions =
  process.env["ANP_TEST_CLUSTER"] === "older"
    ? { kubernetes: "1.36", karpenter: "1.14" }
    : { kubernetes: "1.37", karpenter: "1.15" };

export const KARPENTER_PROFILE = `karpenter-${CLUSTER.karpenter}` as const;

export function controlPlaneProgram(): ProgramName {
  return CLUSTER.kubernetes === "1.36" ? "controlplane" : "controlplane-1.37";
}

export function programOfKarpenter(
  name: "karpenter" | "oracle" | "oracle-provider",
  version: KarpenterVersion = CLUSTER.karpenter,
): ProgramName {
  return version === "1.14" ? name : `${name}-${version}`;
}

/** @throws Error if there is no Go to build it with, or with the compiler's output */
export function goProgram(name: ProgramName): Promise<string> {
  return buildGoProgram(programOf(name));
}

export async function isBuilt(name: ProgramName): Promise<boolean> {
  return existsSync(await builtPath(programOf(name)));
}

/** Karpenter 1.15 needs a newer Go than machines have; the toolchain is a module like any other. */
const TOOLCHAIN_OF_KARPENTER = "go1.26.10";

function programOf(name: ProgramName): GoProgram {
  const { folder, package: path = ".", modfile }: Described = PROGRAMS[name];
  const program = { module: join(import.meta.dirname, "..", folder), package: path, name };
  if (modfile === undefined) return program;
  const other = { ...program, modfile: `${modfile}.mod` };
  if (!modfile.startsWith("karpenter")) return other;
  // The build tag selects the files for this version.
  return { ...other, tag: modfile.replace("-", "_"), toolchain: TOOLCHAIN_OF_KARPENTER };
}

export function usualMinutes(name: ProgramName): number {
  return PROGRAMS[name].minutes;
}

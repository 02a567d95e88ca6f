/** The Go programs of the tests, by name; each is built once and cached. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildGoProgram, builtPath, type GoProgram } from "./build.ts";
import type { ChangedFile, ChangedModule } from "./changed-module.ts";

interface Described {
  /** The folder below test/ that holds the go.mod. */
  readonly folder: string;
  /** Import path; without one the module's own main package. */
  readonly package?: string;
  /** Another go.mod of the folder: `MODFILE.mod`. */
  readonly modfile?: string;
  /** A Go that is newer than the installed one, for the folder's own go.mod. */
  readonly toolchain?: string;
  /** A module that is changed in some places. */
  readonly changed?: ChangedModule;
  /** Whether it is the tests of `package` in the changed module. */
  readonly tests?: boolean;
  /** The time of a first build on two processors, including downloads of the modules. */
  readonly minutes: number;
}

/** Karpenter 1.15 needs a newer Go than machines have; the toolchain is a module like any other. */
const TOOLCHAIN_OF_KARPENTER = "go1.26.10";

const KARPENTER_MODULE = { module: "sigs.k8s.io/karpenter", version: "v1.15.0" } as const;

/**
 * Karpenter takes any of the domains that are equally good, by the order of Go's maps. With these lines it takes the first
 * by name.
 */
const TIES_BY_NAME: ChangedFile = {
  file: "pkg/controllers/provisioning/scheduling/topologygroup.go",
  lines: {
    "for _, domain := range nodeDomains.Values() {": "for _, domain := range byName(nodeDomains.Values()) {",
    "for domain := range t.domains {": "for _, domain := range byName(lo.Keys(t.domains)) {",
  },
  more: "func byName(names []string) []string { return sets.List(sets.New(names...)) }",
};

/** Of the nodes of several pools, those of the first by name are tried first. */
const POOLS_BY_NAME: ChangedFile = {
  file: "pkg/controllers/disruption/singlenodeconsolidation.go",
  lines: { "lo.Filter(lo.Keys(nodePoolCandidates),": "lo.Filter(sets.List(sets.New(lo.Keys(nodePoolCandidates)...))," },
};

/** Karpenter with a record of what its scheduler starts from, and of what comes out. */
const RECORDED: ChangedModule = {
  ...KARPENTER_MODULE,
  files: [
    TIES_BY_NAME,
    {
      // Of types with the same price, any is cut off.
      file: "pkg/cloudprovider/types.go",
      lines: { "return iPrice < jPrice": "return iPrice < jPrice || iPrice == jPrice && its[i].Name < its[j].Name" },
    },
    {
      file: "pkg/controllers/provisioning/provisioner.go",
      lines: {
        "func (p *Provisioner) Schedule(": "func (p *Provisioner) schedule(",
        "func (p *Provisioner) NewScheduler(": "func (p *Provisioner) newScheduler(",
      },
    },
    {
      file: "pkg/controllers/provisioning/scheduling/scheduler.go",
      lines: { "func (s *Scheduler) Solve(": "func (s *Scheduler) solve(" },
    },
    { file: "pkg/controllers/provisioning/recorded.go", from: "recorded.go" },
    { file: "pkg/controllers/provisioning/scheduling/solved.go", from: "solved.go" },
    { file: "pkg/record/record.go", from: "record.go" },
    { file: "pkg/record/methods.go", from: "methods.go" },
    {
      file: "pkg/record/outcome.go",
      from: "../oracle-scheduler/outcome.go",
      lines: { "package main": "package record" },
    },
  ],
};

/** The same for the methods of its disruption controller. */
const RECORDED_METHODS: ChangedModule = {
  ...RECORDED,
  files: [
    ...RECORDED.files,
    POOLS_BY_NAME,
    {
      file: "pkg/controllers/disruption/controller.go",
      lines: {
        "cmds, err := disruption.ComputeCommands(ctx, disruptionBudgetMapping, candidates...)":
          "cmds, err := c.recorded(ctx, disruption, candidates, func() ([]Command, error) { return disruption.ComputeCommands(ctx, disruptionBudgetMapping, candidates...) })",
      },
    },
    { file: "pkg/controllers/disruption/disrupted.go", from: "disrupted.go" },
  ],
};

/** The tests of a package of Karpenter. */
function testsOf(path: string, changed = RECORDED) {
  const recorded = { folder: "karpenter-tables", toolchain: TOOLCHAIN_OF_KARPENTER, changed, tests: true };
  return { ...recorded, package: `./pkg/controllers/${path}` } as const;
}

const PROGRAMS = {
  controlplane: { folder: "controlplane", minutes: 6 },
  "controlplane-1.37": { folder: "controlplane", modfile: "kubernetes-1.37", minutes: 8 },
  karpenter: { folder: "karpenter", minutes: 3 },
  "karpenter-1.15": { folder: "karpenter", modfile: "karpenter-1.15", minutes: 5 },
  oracle: { folder: "oracle", minutes: 3 },
  "oracle-1.15": { folder: "oracle", modfile: "karpenter-1.15", minutes: 4 },
  "oracle-scheduler": { folder: "oracle-scheduler", toolchain: TOOLCHAIN_OF_KARPENTER, minutes: 4 },
  "oracle-scheduler-by-name": {
    folder: "oracle-scheduler",
    toolchain: TOOLCHAIN_OF_KARPENTER,
    changed: { ...KARPENTER_MODULE, files: [TIES_BY_NAME, POOLS_BY_NAME] },
    minutes: 1,
  },
  "tables-of-scheduling": { ...testsOf("provisioning/scheduling"), minutes: 3 },
  "tables-of-provisioning": { ...testsOf("provisioning"), minutes: 1 },
  "tables-of-disruption": { ...testsOf("disruption", RECORDED_METHODS), minutes: 1 },
  "oracle-hcl": { folder: "oracle-hcl", minutes: 1 },
  "oracle-v1beta1": { folder: "oracle-v1beta1", minutes: 1 },
  kustomize: { folder: "kustomize", package: "sigs.k8s.io/kustomize/kustomize/v5", minutes: 1 },
  helm: { folder: "helm", package: "helm.sh/helm/v4/cmd/helm", minutes: 4 },
  "helm-3": { folder: "helm", package: "helm.sh/helm/v3/cmd/helm", modfile: "helm-3", minutes: 3 },
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

/** Where the program is once it is built. */
export function programPath(name: ProgramName): Promise<string> {
  return builtPath(programOf(name));
}

export async function isBuilt(name: ProgramName): Promise<boolean> {
  return existsSync(await programPath(name));
}

function programOf(name: ProgramName): GoProgram {
  const { folder, package: path = ".", modfile, toolchain, changed, tests }: Described = PROGRAMS[name];
  const own = { module: join(import.meta.dirname, "..", folder), package: path, name };
  const program = {
    ...own,
    ...(toolchain === undefined ? {} : { toolchain }),
    ...(changed === undefined ? {} : { changed }),
    ...(tests === undefined ? {} : { tests }),
  };
  if (modfile === undefined) return program;
  const other = { ...program, modfile: `${modfile}.mod` };
  if (!modfile.startsWith("karpenter")) return other;
  // The build tag selects the files for this version.
  return { ...other, tag: modfile.replace("-", "_"), toolchain: TOOLCHAIN_OF_KARPENTER };
}

export function usualMinutes(name: ProgramName): number {
  return PROGRAMS[name].minutes;
}

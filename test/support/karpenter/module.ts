/** Reads files of the Karpenter module under test. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { goModuleDir } from "../go/module-dir.ts";
import { CLUSTER, type KarpenterVersion } from "../go/programs.ts";

/** As in go.mod and karpenter-1.15.mod. */
const VERSIONS = { "1.14": "v1.14.1", "1.15": "v1.15.0" } as const;

const CRDS = [
  "pkg/apis/crds/karpenter.sh_nodepools.yaml",
  "pkg/apis/crds/karpenter.sh_nodeclaims.yaml",
  "pkg/apis/crds/karpenter.sh_nodeoverlays.yaml",
  "pkg/apis/crds/autoscaling.x-k8s.io_capacitybuffers.yaml",
  "kwok/apis/crds/karpenter.kwok.sh_kwoknodeclasses.yaml",
];

export async function readKarpenterFile(path: string, version: KarpenterVersion = CLUSTER.karpenter): Promise<string> {
  return readFile(join(await goModuleDir("sigs.k8s.io/karpenter", VERSIONS[version]), path), "utf8");
}

export async function kwokCrds(version?: KarpenterVersion): Promise<KubernetesObject[]> {
  const texts = await Promise.all(CRDS.map((path) => readKarpenterFile(path, version)));
  return texts.map((text) => parse(text) as KubernetesObject);
}

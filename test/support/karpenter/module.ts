/** The files of the Karpenter module under test: a path inside it in, text out. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { goModuleDir } from "../go/module-dir.ts";

/** As in go.mod. */
const VERSION = "v1.14.1";

const CRDS = [
  "pkg/apis/crds/karpenter.sh_nodepools.yaml",
  "pkg/apis/crds/karpenter.sh_nodeclaims.yaml",
  "pkg/apis/crds/karpenter.sh_nodeoverlays.yaml",
  "pkg/apis/crds/autoscaling.x-k8s.io_capacitybuffers.yaml",
  "kwok/apis/crds/karpenter.kwok.sh_kwoknodeclasses.yaml",
];

export async function readKarpenterFile(path: string): Promise<string> {
  return readFile(join(await goModuleDir("sigs.k8s.io/karpenter", VERSION), path), "utf8");
}

export async function kwokCrds(): Promise<KubernetesObject[]> {
  const texts = await Promise.all(CRDS.map(readKarpenterFile));
  return texts.map((text) => parse(text) as KubernetesObject);
}

/** Karpenter's CRDs for a profile: NodePool, NodeClaim and EC2NodeClass from Go's module cache. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { goModuleDir } from "../go/module-dir.ts";
import { addAwsLabelRules } from "./aws-label-rules.ts";
import { hypershiftEC2NodeClass } from "./hypershift-crd.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

export type KarpenterProfile = "hypershift" | "karpenter-1.14" | "karpenter-1.15";

/** For waitEstablished. */
export const KARPENTER_CRD_NAMES = [
  "nodepools.karpenter.sh",
  "nodeclaims.karpenter.sh",
  "ec2nodeclasses.karpenter.k8s.aws",
];

const CORE_FILES = ["karpenter.sh_nodepools.yaml", "karpenter.sh_nodeclaims.yaml"];
const CORE = "sigs.k8s.io/karpenter";
const CORE_OF_HYPERSHIFT = [CORE, "v1.13.0"] as const;
/** HyperShift ships a fork of an earlier version, which is no module. */
const AWS = { hypershift: "v1.14.1", "karpenter-1.14": "v1.14.1", "karpenter-1.15": "v1.15.1" } as const;

export async function karpenterCrds(profile: KarpenterProfile): Promise<KubernetesObject[]> {
  const aws = ["github.com/aws/karpenter-provider-aws", AWS[profile]] as const;
  const [ec2NodeClass] = await readCrds(aws, ["karpenter.k8s.aws_ec2nodeclasses.yaml"]);
  const fromAws = await readCrds(aws, CORE_FILES);
  if (ec2NodeClass === undefined) throw new Error("no EC2NodeClass");
  if (profile !== "hypershift") return [...fromAws, ec2NodeClass];
  const core = await readCrds(CORE_OF_HYPERSHIFT, CORE_FILES);
  const withRules = core.map((crd, index) => addAwsLabelRules(crd, fromAws[index] ?? {}));
  return [...withRules, hypershiftEC2NodeClass(ec2NodeClass)];
}

async function readCrds(
  [module, version]: readonly [module: string, version: string],
  files: readonly string[],
): Promise<KubernetesObject[]> {
  const folder = join(await goModuleDir(module, version), "pkg", "apis", "crds");
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return texts.map((text) => parse(text) as KubernetesObject);
}

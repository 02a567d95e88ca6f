/** Karpenter 1.0.8's CRDs, which serve v1beta1 and v1: which version is stored and how they are converted in, the CRDs out. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import type { KarpenterVersion } from "../../../src/karpenter/conversion/karpenter-type.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { goModuleDir } from "../go/module-dir.ts";

const MODULE = ["github.com/aws/karpenter-provider-aws", "v1.0.8"] as const;
const FILES = ["karpenter.sh_nodepools.yaml", "karpenter.sh_nodeclaims.yaml", "karpenter.k8s.aws_ec2nodeclasses.yaml"];

interface Versions {
  versions: { name: string; storage: boolean }[];
}

/** As Karpenter ships them: its own webhook converts. */
export async function bothVersions(stored: KarpenterVersion = "v1"): Promise<KubernetesObject[]> {
  const folder = join(await goModuleDir(...MODULE), "pkg", "apis", "crds");
  const texts = await Promise.all(FILES.map((file) => readFile(join(folder, file), "utf8")));
  return texts.map((text) => {
    const crd = parse(text) as KubernetesObject;
    for (const version of (crd.spec as unknown as Versions).versions) version.storage = version.name === stored;
    return crd;
  });
}

/** Types and defaults without any rule: then the API server takes nearly every object, and converts it. */
export function withoutRules(crd: KubernetesObject): KubernetesObject {
  const versions = (crd.spec as unknown as { versions: { schema: unknown }[] }).versions.map((version) => ({
    ...version,
    schema: withoutKeywords(version.schema),
  }));
  return { ...crd, spec: { ...crd.spec, versions } };
}

const BOUNDS = ["Length", "Items", "Properties", "imum"].flatMap((what) => [`max${what}`, `min${what}`]);
const RULES = ["x-kubernetes-validations", "pattern", "enum", "required", "format", ...BOUNDS];

function withoutKeywords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeywords);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !RULES.includes(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutKeywords(field)]));
}

/** Inputs of anp as files of a new folder, and the files of a folder afterwards. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";

const GROUP = "karpenter.hypershift.openshift.io";

export const policy = (namespace = "clusters-shop", values = "[amd64]", key = "kubernetes.io/arch"): string =>
  `apiVersion: ${GROUP}/v1beta1
kind: AutoNodePolicy
metadata: {name: default, namespace: ${namespace}}
spec: {nodePoolDefaults: {requirements: [{key: ${key}, operator: In, values: ${values}}]}}
`;

export const pool = (name = "web", requirements = "[]"): string =>
  `apiVersion: ${GROUP}/v1beta1
kind: OpenshiftNodePool
metadata: {name: ${name}}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: ${requirements}
`;

/** A NodePool that users write. */
export const rawPool = (name = "web", requirements = "[]", annotations = "{}"): string =>
  `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: ${name}, annotations: ${annotations}}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: ${requirements}
`;

/** A pool that does not comply with `policy("clusters-shop", "[a]", "example.com/team")`. */
export const outsider = pool("outsider", "[{key: example.com/team, operator: In, values: [b]}]");

export const manyPools = (count: number): string =>
  Array.from({ length: count }, (_, index) => pool(`pool-${index}`)).join("---\n");

/** A folder with these files, removed after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "anp-process-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  addFiles(folder, files);
  return folder;
}

export function addFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Every file below a folder with its text. */
export function textsIn(folder: string): Record<string, string> {
  const paths = filesIn(folder).toSorted();
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

/** node's own walk follows links as well. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Inputs for the built program: a policy, pools and what else a test needs, as files of a fresh folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

/** A pool that the policy of `policy("clusters-shop", "[a]", "example.com/team")` does not hold. */
export const outsider = pool("outsider", "[{key: example.com/team, operator: In, values: [b]}]");

export const manyPools = (count: number): string =>
  Array.from({ length: count }, (_, index) => pool(`pool-${index}`)).join("---\n");

/** A folder with these files, gone after the test. */
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

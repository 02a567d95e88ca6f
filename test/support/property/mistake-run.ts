/** Writes a policy with other inputs as files and renders them. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "../golden/case.ts";
import { type Files, POLICY_FILE } from "./mistakes.ts";

export const WRAPPERS: readonly [string, string][] = [
  [
    "users/pool.yaml",
    `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: OpenshiftNodePool
metadata: {name: web}
spec: {template: {spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}}}
`,
  ],
  [
    "users/class.yaml",
    `apiVersion: karpenter.hypershift.openshift.io/v1
kind: OpenshiftEC2NodeClass
metadata: {name: default}
spec: {monitoring: Basic}
`,
  ],
];

export const CONTROL_PLANE: [string, string] = [
  "provider/hosted-control-plane.yaml",
  `apiVersion: hypershift.openshift.io/v1beta1
kind: HostedControlPlane
metadata: {name: shop, namespace: clusters-shop}
spec: {infraID: shop-7x2kq}
`,
];

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly file?: string;
}

export interface Result {
  readonly exit: number;
  readonly stdout: string;
  readonly findings: readonly Finding[];
}

/** @param link target of a link in place of the policy */
export async function renderFiles(files: Files, args: readonly string[] = ["in"], link?: string): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "anp-mistakes-"));
  const input = join(folder, "in");
  for (const [path, content] of files) {
    mkdirSync(path.endsWith("/") ? join(input, path) : dirname(join(input, path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(input, path), content);
  }
  if (link !== undefined) symlinkSync(link, join(input, POLICY_FILE));
  const { exit, stdout, stderr } = await run(folder, ["render", ...args, "--report", "json"]);
  rmSync(folder, { recursive: true });
  return { exit, stdout, findings: (JSON.parse(stderr) as { findings: Finding[] }).findings };
}

export function codes(findings: readonly Finding[]): string[] {
  return findings.map(({ code }) => code);
}

/** `anp guard` end to end: wrong use, directories, files for an API server. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAnp } from "../../support/process/run-anp.ts";

const POLICY = `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: AutoNodePolicy
metadata: {name: default, namespace: platform}
spec:
  nodePoolDefaults:
    requirements:
      - {key: kubernetes.io/arch, operator: In, values: [amd64]}
  ec2NodeClassDefaults: {rootVolume: {volumeSize: 100Gi}}
`;
const USER = ["--karpenter-user", "system:admin"];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "anp-guard-"));
  writeFileSync(join(folder, "policy.yaml"), POLICY);
});
afterAll(() => rmSync(folder, { recursive: true }));

const guard = (...args: string[]) => runAnp(["guard", ...args], { cwd: folder, input: POLICY });

describe("wrong use", () => {
  it.each<[string, string[], RegExp]>([
    ["no Karpenter user", ["policy.yaml"], /the user name of Karpenter is missing/],
    ["--force alone", ["policy.yaml", ...USER, "--force"], /--force goes with --output-dir/],
    ["JSON files", ["policy.yaml", ...USER, "-o", "json", "--output-dir", "x"], /writes YAML files/],
    ["files to a stream", ["policy.yaml", ...USER, "--static", "/a"], /it goes with --output-dir/],
    ["a relative place", ["policy.yaml", ...USER, "--static", "a", "--output-dir", "x"], /an absolute path/],
    ["an installer without files", ["policy.yaml", ...USER, "--installer", "me"], /--installer goes with --static/],
  ])("%s", async (_what, args, words) => {
    const { exit, stdout, stderr } = await guard(...args);
    expect({ exit, stdout }).toStrictEqual({ exit: 2, stdout: "" });
    expect(stderr).toMatch(words);
  });
});

it("refuses a file that is no policy", async () => {
  writeFileSync(join(folder, "no.yaml"), POLICY.replace("kind: AutoNodePolicy", "kind: AutoNodePolicies"));
  const { exit, stdout, stderr } = await guard("no.yaml", ...USER);
  expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
  expect(stderr).toContain("[policy-invalid]");
});

it("refuses entries on labels of another provider", async () => {
  writeFileSync(join(folder, "azure.yaml"), POLICY.replace("kubernetes.io/arch", "karpenter.azure.com/sku-cpu"));
  const { exit, stderr } = await guard("azure.yaml", ...USER);
  expect(exit).toBe(1);
  expect(stderr).toContain("[provider-mismatch]");
});

it("reads a policy from the standard input, and prints the same twice", async () => {
  const first = await guard("-", ...USER);
  expect(first).toMatchObject({ exit: 0, stderr: "" });
  expect(await guard("policy.yaml", ...USER)).toStrictEqual(first);
});

it("prefers the flag to the RenderConfig, which sets the root volume", async () => {
  const config = `{apiVersion: anp.hypershift.openshift.io/v1alpha1, kind: RenderConfig, spec: {rootVolume: {iops: 4000}, admission: {karpenterUsers: [other]}}}`;
  writeFileSync(join(folder, "config.yaml"), config);
  const { stdout } = await guard("policy.yaml", ...USER, "--config", "config.yaml");
  expect(stdout).toContain("request.userInfo.username in ['system:admin']");
  expect(stdout).toContain(`\\"iops\\": dyn(4000)`);
});

it("writes a directory, removes files of an earlier guard, and nothing else", async () => {
  expect(await guard("policy.yaml", ...USER, "--output-dir", "out")).toMatchObject({
    exit: 0,
    stderr: "out: 14 written, 0 unchanged, 0 removed\n",
  });
  writeFileSync(join(folder, "smaller.yaml"), POLICY.replace(/ {2}ec2NodeClassDefaults.*\n/, ""));
  expect(await guard("smaller.yaml", ...USER, "--output-dir", "out")).toMatchObject({
    exit: 0,
    stderr: "out: 0 written, 8 unchanged, 6 removed\n",
  });
  writeFileSync(join(folder, "out", "mine.yaml"), "a: b\n");
  const refused = await guard("policy.yaml", ...USER, "--output-dir", "out");
  expect(refused.exit).toBe(1);
  expect(refused.stderr).toContain("[output-foreign]");
});

it("writes two folders and a configuration for an API server, with reserved names", async () => {
  const args = ["policy.yaml", ...USER, "--static", "/etc/guard", "--output-dir", "static", "--installer", "me"];
  const flags = [
    "the API server needs --admission-control-config-file=/etc/guard/admission.yaml",
    "  Kubernetes 1.36 also needs --feature-gates=ManifestBasedAdmissionControlConfig=true; from 1.37 on, it is on by default",
    "",
  ].join("\n");
  expect((await guard(...args)).stderr).toBe(`static: 17 written, 0 unchanged, 0 removed\n${flags}`);
  expect((await guard(...args)).stderr).toBe(`static: 0 written, 17 unchanged, 0 removed\n${flags}`);
  const read = (name: string): string => readFileSync(join(folder, "static", name), "utf8");
  expect(read("admission.yaml")).toContain("staticManifestsDir: /etc/guard/validating");
  for (const of of ["mutating", "validating"])
    for (const name of readdirSync(join(folder, "static", of)))
      expect(read(`${of}/${name}`)).toMatch(/^ {2}name: .*\.static\.k8s\.io$/m);
  expect(
    read("validating/validatingadmissionpolicy-definition.guard.anp.hypershift.openshift.io.static.k8s.io.yaml"),
  ).toContain("!(request.userInfo.username in ['me'])");
});

it.each<[string, string[], RegExp]>([
  ["a dry run of printing", ["policy.yaml", ...USER, "--dry-run"], /go with --touch/],
  ["a cluster for printing", ["policy.yaml", ...USER, "--kubeconfig", "k"], /go with --touch/],
  ["a directory for touching", ["policy.yaml", "--touch", "--output-dir", "x"], /--touch prints no policies/],
  ["a form for touching", ["policy.yaml", "--touch", "-o", "resourcelist"], /--touch answers in text, or with -o json/],
  ["no rate", ["policy.yaml", "--touch", "--rate", "0"], /a whole number of objects a minute/],
])("refuses %s", async (_what, args, words) => {
  const { exit, stderr } = await guard(...args);
  expect(exit).toBe(2);
  expect(stderr).toMatch(words);
});

/** `anp adopt` end to end: its streams, its directory and its exit codes. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith, textsIn } from "../../support/process/inputs.ts";

const rawPool = (name: string, more = "{}"): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: ${name}}
spec:
  template:
    metadata: {labels: {hypershift.openshift.io/nodepool-globalps-enabled: "true"}}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: workers}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
  limits: ${more}
`;

const rawClass = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: workers}
spec:
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
  userData: "#!/bin/sh do-not-show-this"
  blockDeviceMappings: [{deviceName: /dev/xvda, ebs: {volumeSize: 120Gi, encrypted: true}}]
`;

const ALL = [rawPool("web"), rawPool("batch"), rawClass].join("---\n");
const FILES = ["openshiftec2nodeclass-workers.yaml", "openshiftnodepool-batch.yaml", "openshiftnodepool-web.yaml"];

describe("on the standard output", () => {
  it("prints node classes, then pools, and findings on the other stream", async () => {
    const { exit, stdout, stderr } = await runAnp(["adopt"], { input: ALL });
    expect(exit).toBe(0);
    expect(stdout.match(/^(kind|  name): .*/gm)).toStrictEqual([
      "kind: OpenshiftEC2NodeClass",
      "  name: workers",
      "kind: OpenshiftNodePool",
      "  name: batch",
      "kind: OpenshiftNodePool",
      "  name: web",
    ]);
    expect(stderr).toContain("[adopt-lossy]");
    expect(stdout + stderr).not.toContain("do-not-show");
  });

  it("prints input for render: a pipe restores the raw objects", async () => {
    const { stdout } = await runAnp(["adopt", "-"], { input: ALL });
    const { exit, stdout: rendered } = await runAnp(["render", "-"], { input: stdout });
    expect(exit).toBe(0);
    expect(rendered.match(/^kind: (NodePool|EC2NodeClass)$/gm)).toHaveLength(3);
  });

  it("prints JSON", async () => {
    const { stdout } = await runAnp(["adopt", "-", "-o", "json"], { input: ALL });
    const { kind, items } = JSON.parse(stdout) as { kind: string; items: { kind: string }[] };
    expect([kind, ...items.map((item) => item.kind)]).toStrictEqual([
      "List",
      "OpenshiftEC2NodeClass",
      "OpenshiftNodePool",
      "OpenshiftNodePool",
    ]);
  });
});

interface Ending {
  readonly input: string;
  readonly args?: readonly string[];
  readonly exit: number;
  readonly says: string;
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  "one pool of many is wrong": { input: `${ALL}---\n${rawPool("bad", "3")}`, exit: 1, says: "[adopt-invalid]" },
  "a warning is too much": { input: ALL, args: ["--fail-on", "warning"], exit: 1, says: "[adopt-lossy]" },
  "nothing to read": { input: "", exit: 3, says: "is empty [not-krm]" },
  "no YAML": { input: "a: [", exit: 3, says: "[yaml-syntax]" },
  "an unknown option": { input: ALL, args: ["--include-user-data"], exit: 2, says: "--include-user-data" },
  "JSON into a directory": { input: ALL, args: ["--output-dir", "o", "-o", "json"], exit: 2, says: "YAML files" },
  "nothing to adopt": {
    input: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    exit: 0,
    says: "[adopt-nothing]",
  },
};

it.each(Object.entries(ENDINGS))("prints nothing: %s", async (_name, { input, args = [], exit, says }) => {
  const result = await runAnp(["adopt", "-", ...args], { input });
  expect(result).toMatchObject({ exit, stdout: "" });
  expect(result.stderr).toContain(says);
});

describe("--output-dir", () => {
  it("writes one file per object, and prints a summary", async () => {
    const folder = folderWith({ "raw.yaml": ALL });
    const result = await runAnp(["adopt", "raw.yaml", "--output-dir", "out"], { cwd: folder });
    expect(result).toMatchObject({ exit: 0, stdout: "" });
    expect(result.stderr).toContain("out: 3 written, 0 unchanged\n");
    expect(Object.keys(textsIn(join(folder, "out")))).toStrictEqual(FILES);
    const joined = Object.values(textsIn(join(folder, "out"))).join("---\n");
    expect(joined).toBe((await runAnp(["adopt", "raw.yaml"], { cwd: folder })).stdout);
  });

  it("neither replaces nor removes existing files", async () => {
    const folder = folderWith({ "raw.yaml": ALL, "out/notes.txt": "notes\n" });
    await runAnp(["adopt", "raw.yaml", "--output-dir", "out"], { cwd: folder });
    const again = await runAnp(["adopt", "raw.yaml", "--output-dir", "out"], { cwd: folder });
    expect(again.stderr).toContain("out: 0 written, 3 unchanged\n");
    writeFileSync(join(folder, "out/openshiftnodepool-web.yaml"), "# edited\n");
    const before = textsIn(join(folder, "out"));
    const refused = await runAnp(["adopt", "raw.yaml", "--output-dir", "out"], { cwd: folder });
    expect(refused).toMatchObject({ exit: 1, stdout: "" });
    expect(refused.stderr).toContain("[output-foreign]");
    expect(textsIn(join(folder, "out"))).toStrictEqual(before);
  });

  it("writes nothing when an object cannot be adopted", async () => {
    const folder = folderWith({ "raw.yaml": `${ALL}---\n${rawPool("bad", "3")}` });
    expect(await runAnp(["adopt", "raw.yaml", "--output-dir", "out"], { cwd: folder })).toMatchObject({
      exit: 1,
      stdout: "",
    });
    expect(readdirSync(folder)).toStrictEqual(["raw.yaml"]);
  });
});

/** `--output-dir` is written as a whole or not at all under system limits: disks, file sizes, memory. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { anp, buildOnce, shell } from "../../support/process/built.ts";
import { addFiles, folderWith, policy, pool, textsIn } from "../../support/process/inputs.ts";

beforeAll(buildOnce);

/** Two hosted clusters, so that there are several folders to write. */
const pools = (count: number, labels = "") =>
  Object.fromEntries(
    ["a", "b"].flatMap((name) => [
      [`in/${name}/policy.yaml`, policy(`clusters-${name}`)],
      ...Array.from({ length: count }, (_, at) => [
        `in/${name}/${at}.yaml`,
        pool(`pool-${at}`).replace("    spec:", `    metadata: {annotations: {example.com/a: "${labels}"}}\n    spec:`),
      ]),
    ]),
  ) as Record<string, string>;

// Only root may mount. A limit on the size of files does not give ENOSPC, but also fails in the middle.
describe.skipIf(process.getuid?.() !== 0 || process.platform !== "linux")("on a full disk", () => {
  it("nothing is written, nothing is lost, and nothing is left behind", () => {
    const folder = folderWith(pools(2));
    const disk = join(folder, "disk");
    mkdirSync(disk);
    expect(shell("mount -t tmpfs -o size=256k tmpfs disk", folder).exit).toBe(0);
    onTestFinished(() => void shell("umount disk", folder));
    const render = () => anp(["render", "in", "--output-dir", "disk/out"], { cwd: folder });
    const full = () => {
      const { exit, stdout, stderr } = render();
      expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
      expect(stderr).toMatch(
        /disk\/out\/clusters-[ab]\S* error: cannot be written: no space is left \[output-unwritable\]\n/,
      );
      expect(stderr).not.toMatch(/\d written/);
    };
    // The first cluster alone would fit.
    addFiles(folder, pools(45, "x".repeat(1500)));
    full();
    expect(readdirSync(disk)).toStrictEqual([]);
    execFileSync("sh", ["-c", "rm in/*/[0-9]*.yaml"], { cwd: folder });
    addFiles(folder, pools(2));
    expect(render().exit).toBe(0);
    const before = textsIn(disk);
    expect(Object.keys(before)).toHaveLength(20);
    addFiles(folder, pools(45, "x".repeat(1500)));
    full();
    expect(textsIn(disk)).toStrictEqual(before);
  });
});

it("stays unchanged if a file in the middle cannot be written", () => {
  const folder = folderWith(pools(3));
  const large = pools(2, "x".repeat(20_000))["in/b/1.yaml"]!;
  addFiles(folder, { "in/b/1.yaml": large });
  const line = `ulimit -f 8; anp render in --output-dir out 2>&1 | cat; exit "\${PIPESTATUS[0]}"`;
  expect(shell(line, folder)).toStrictEqual({
    exit: 1,
    stdout: "out/clusters-b/nodepool-pool-1.yaml: error: cannot be written: EFBIG [output-unwritable]\n1 error\n",
    stderr: "",
  });
  expect(readdirSync(folder)).toStrictEqual(["in"]);
});

it("takes little memory for a path annotation of many slashes", () => {
  const path = `${"a/".repeat(200_000)}x.yaml`;
  const list = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: karpenter.hypershift.openshift.io/v1beta1
  kind: AutoNodePolicy
  metadata: {name: default, namespace: clusters-shop, annotations: {config.kubernetes.io/path: ${path}}}
  spec: {nodePoolDefaults: {requirements: []}}
`;
  const { exit, stdout, stderr } = anp(["fn"], {
    input: list,
    env: { NODE_OPTIONS: "--max-old-space-size=200" },
  });
  expect(exit).toBe(3);
  expect(stderr).toContain("items[0] has a path of more than 4096 bytes, which no file system takes [input-limit]");
  expect(stdout.length).toBeLessThan(2 * list.length);
});

/** Answers about kustomizations that a real kustomize builds: places in bases and patches, policies, hostile input. */
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goProgram } from "../../support/go/programs.ts";
import { type Random, randomOf } from "../../support/plan-worlds/random.ts";
import type { Ended } from "../../support/process/built.ts";
import { addFiles, folderWith } from "../../support/process/inputs.ts";
import { repository } from "../../support/process/repositories.ts";
import { runAnp } from "../../support/process/run-anp.ts";

let programs = "";

beforeAll(async () => {
  programs = mkdtempSync(join(tmpdir(), "anp-programs-"));
  symlinkSync(await goProgram("kustomize"), join(programs, "kustomize"));
});

afterAll(() => rmSync(programs, { recursive: true, force: true }));

// git is needed for the old side.
const run = (cwd: string, ...args: string[]): Promise<Ended> =>
  runAnp(args, { cwd, env: { PATH: `${programs}:${process.env["PATH"] ?? ""}`, ANP_BUILD_SECONDS: "600" } });

type Files = Record<string, string>;

/** A field of a file that tests change. */
interface Slot {
  readonly file: string;
  /** What stands before its value, once in the file. */
  readonly before: string;
  readonly value: string;
  readonly kind: "limit" | "weight" | "label";
}

const POOLS = 8;
const POOL = (at: number): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: pool${at}
spec:
  weight: ${10 + at} # weight${at}
  limits:
    cpu: ${100 + at} # cpu${at}
    memory: ${200 + at}Gi # memory${at}
  template:
    metadata:
      labels:
        example.com/base: base${at} # base${at}
        example.com/team: none
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      terminationGracePeriod: 24h
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
        - {key: example.com/tier, operator: In, values: [a, b]}
`;
const CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: KarpenterNodeRole-prod
  amiSelectorTerms: [{alias: al2023@v20260601}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
`;
const PATCH = (at: number): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: pool${at}}
spec:
  limits:
    nodes: ${300 + at} # nodes${at}
  template:
    metadata:
      labels:
        example.com/team: team${at} # team${at}
`;
const OPERATIONS = `- op: replace
  path: /spec/weight
  value: 44 # weight4
- {op: remove, path: /spec/template/spec/requirements/0}
- op: add
  path: /spec/template/metadata/labels/example.com~1more
  value: more4 # more4
`;
const OVERLAY = `resources:
  - ../../base
namePrefix: prod-
patches:
  - path: pools.yaml
  - path: operations.yaml
    target: {kind: NodePool, name: pool4}
  - target: {name: pool5}
    patch: |-
      - op: add
        path: /spec/limits/ephemeral-storage
        value: 555 # storage5

      - op: add
        path: /spec/template/metadata/labels/example.com~1inline
        value: inline5 # inline5
  - patch: |
        apiVersion: karpenter.sh/v1
        kind: NodePool
        metadata:
          name: pool6
        spec:
          weight: 66 # weight6
patchesStrategicMerge:
  - |
    apiVersion: karpenter.sh/v1
    kind: NodePool
    metadata: {name: pool7}
    spec:
      limits:
        pods: 777 # pods7
`;

const numbers = Array.from({ length: POOLS }, (_none, at) => at);
const FILES: Files = {
  "base/pools.yaml": numbers.map(POOL).join("---\n"),
  "base/class.yaml": CLASS,
  "base/kustomization.yaml": "resources: [pools.yaml, class.yaml]\n",
  "overlays/prod/pools.yaml": [0, 1, 2, 3].map(PATCH).join("---\n"),
  "overlays/prod/operations.yaml": OPERATIONS,
  "overlays/prod/kustomization.yaml": OVERLAY,
};

/** All lines with a mark; in the base, those that no patch overwrites. */
const SLOTS: readonly Slot[] = Object.entries(FILES).flatMap(([file, text]) =>
  [...text.matchAll(/^ *(?:[\w./-]+: )+(\S+) # (\w+?)(\d)$/gm)].flatMap(
    ([whole, value = "", name = "", at]): Slot[] => {
      const overwritten = file.startsWith("base/") && name === "weight" && ["4", "6"].includes(at!);
      const kind = name === "weight" ? "weight" : /^\d/.test(value) ? "limit" : "label";
      return overwritten ? [] : [{ file, before: whole.replace(`${value} #`, "\0").split("\0")[0]!, value, kind }];
    },
  ),
);

/** The file and line of a slot. */
const placeOf = ({ file, value }: Slot): string => {
  const lines = FILES[file]!.split("\n");
  return `${file}:${lines.findIndex((line) => line.includes(`${value} #`)) + 1}`;
};

function changed(slots: readonly Slot[], valueOf: (slot: Slot) => string): Files {
  const files = { ...FILES };
  for (const slot of slots) files[slot.file] = files[slot.file]!.replace(`${slot.value} #`, `${valueOf(slot)} #`);
  return files;
}

const NEW = ({ kind, value }: Slot): string =>
  kind === "label" ? `${value}x` : kind === "weight" ? "99" : `1${value}`;
const BAD = ({ kind, value }: Slot): string =>
  kind === "label" ? `"${value} !"` : kind === "weight" ? "1000" : `-${value}`;
const RUNS = 20;
const EACH = 10;
const some = (random: Random, kinds: readonly string[]): Slot[] =>
  random.some(
    SLOTS.filter(({ kind }) => kinds.includes(kind)),
    EACH,
  );
const seeds = Array.from({ length: RUNS }, (_none, seed) => seed);

describe("places of 200 random fields in a base and its patches", () => {
  it.each(seeds)("stand in the diff, seed %i", async (seed) => {
    const slots = some(randomOf(seed), ["limit", "weight", "label"]);
    const folder = repository(FILES, changed(slots, NEW));
    const { exit, stdout, stderr } = await run(
      folder,
      "diff",
      seed % 2 === 0 ? "." : "overlays/prod",
      "--against",
      "main",
      "--all",
    );
    expect([exit, stderr.includes("error")]).toStrictEqual([1, false]);
    const places = [...stdout.matchAll(/ # (?:[\w-]+, )?(\S+:\d+)$/gm)].map(([, place]) => place!);
    expect(new Set(places)).toStrictEqual(new Set(slots.map(placeOf)));
  });

  it.each(seeds)("stand in findings, seed %i", async (seed) => {
    const kinds = seed % 2 === 0 ? ["limit"] : ["weight", "label"];
    const slots = some(randomOf(1000 + seed), kinds);
    const { stdout } = await run(folderWith(changed(slots, BAD)), "check", ".", "-o", "json");
    const { findings } = JSON.parse(stdout) as { findings: { code: string; file?: string; line?: number }[] };
    const found = findings.filter(({ code }) => ["node-pool-invalid", "limits-below-zero"].includes(code));
    const places = new Set(found.map(({ file, line }) => `${file}:${line}`));
    expect(slots.map(placeOf).filter((place) => !places.has(place))).toStrictEqual([]);
  });
});

const POLICY = `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: AutoNodePolicy
metadata: {name: default, namespace: clusters-shop}
spec:
  nodePoolDefaults:
    requirements:
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
`;

const codes = (text: string): string[] => [...text.matchAll(/\[([a-z-]+)\]$/gm)].map(([, code]) => code!);

describe("a policy", () => {
  const POOL0 = {
    "base/pools.yaml": POOL(0),
    "base/class.yaml": CLASS,
    "base/kustomization.yaml": FILES["base/kustomization.yaml"]!,
  };

  it("is compared with what a build makes of each overlay", async () => {
    const taken = '[{"op": "remove", "path": "/spec/template/spec/requirements/0"}]';
    const overlay = (patch: string) =>
      `resources: [../base]\npatches: [{target: {kind: NodePool}, patch: '${patch}'}]\n`;
    const folder = folderWith({
      ...POOL0,
      "good/kustomization.yaml": overlay('[{"op": "replace", "path": "/spec/weight", "value": 9}]'),
      "policy.yml.txt": POLICY,
    });
    const good = await run(folder, "check", ".", "--policy", "policy.yml.txt");
    expect([good.exit, codes(good.stdout).includes("outside-policy")]).toStrictEqual([0, false]);
    addFiles(folder, { "bad/kustomization.yaml": overlay(taken) });
    const bad = await run(folder, "check", ".", "--policy", "policy.yml.txt");
    expect(bad.exit).toBe(1);
    expect(bad.stdout).toMatch(/error: bad: NodePool pool0 has no requirement on karpenter\.sh\/capacity-type/);
  });

  it("is compared with a pool that a build makes of another object, whatever its names look like", async () => {
    const patch = [
      String.raw`{"op": "replace", "path": "/kind", "value": "Node\u0050ool"}`,
      String.raw`{"op": "replace", "path": "/apiVersion", "value": "\u006barpenter.sh/v1"}`,
    ].join(", ");
    const [pool0] = POOL(0).replace("[on-demand]", "[spot]").split("---");
    const files = {
      "hidden/object.yaml": pool0!
        .replace("apiVersion: karpenter.sh/v1", "apiVersion: v1")
        .replace("NodePool", "Other"),
      "hidden/kustomization.yaml": `resources: [object.yaml]\npatches: [{target: {kind: Other}, patch: '[${patch}]'}]\n`,
      "policy.yml.txt": POLICY,
    };
    const { exit, stdout } = await run(folderWith({ ...POOL0, ...files }), "check", ".", "--policy", "policy.yml.txt");
    expect([exit, codes(stdout).includes("outside-policy")]).toStrictEqual([1, true]);
  });

  it("is not met by a kustomization of which a part is elsewhere", async () => {
    const files = {
      ...POOL0,
      "more/kustomization.yaml": "resources: [https://example.com/more]\n",
      "policy.yml.txt": POLICY,
    };
    const { exit, stdout } = await run(folderWith(files), "check", ".", "--policy", "policy.yml.txt");
    expect([exit, codes(stdout).includes("kustomization-unbuilt")]).toStrictEqual([1, true]);
  });

  it("is compared with a base that a kustomization only pretends to take away", async () => {
    const files = {
      "pools/bad.yaml": POOL(0).replace("[on-demand]", "[spot]"),
      "kustomization.yaml":
        "resources: [pools/bad.yaml]\npatches: [{patch: '{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: pool0}, $patch: delete}'}]\n",
      "policy.yml.txt": POLICY,
    };
    const { exit, stdout } = await run(folderWith(files), "check", ".", "--policy", "policy.yml.txt");
    expect([exit, codes(stdout).includes("outside-policy")]).toStrictEqual([1, true]);
  });
});

describe("hostile kustomizations", () => {
  const BASE = { "base/pools.yaml": POOL(0), "base/class.yaml": CLASS };
  const unbuilt = async (files: Files, more: (folder: string) => void = () => {}): Promise<string> => {
    const folder = folderWith({ ...BASE, ...files });
    more(folder);
    const { stdout } = await run(folder, "check", ".");
    return /^(.*)\[kustomization-unbuilt\]$/m.exec(stdout)?.[1] ?? stdout;
  };
  const K = "base/kustomization.yaml";
  const RESOURCES = "resources: [pools.yaml, class.yaml]\n";

  it.each([
    ["an address of a file", "resources: [pools.yaml, 'https://example.com/a.yaml']\n"],
    ["a repository", "resources: [pools.yaml, github.com/example/repo]\n"],
    ["a repository of git", "resources: [pools.yaml, 'git@github.com:example/repo.git']\n"],
    ["a reference", "resources: [pools.yaml, 'repo?ref=main']\n"],
    ["an artefact", "resources: [pools.yaml, 'oci://example.com/a']\n"],
    ["an absolute path", "resources: [pools.yaml, /etc/passwd]\n"],
    ["a component from an address", `${RESOURCES}components: ['ssh://example.com/a']\n`],
    ["a patch from an address", `${RESOURCES}patches: [{path: 'http://example.com/a.yaml'}]\n`],
    ["a patch with a path in capitals", `${RESOURCES}patches: [{Path: 'http://example.com/a.yaml'}]\n`],
    ["a schema from an address", `${RESOURCES}openapi: {path: 'http://example.com/a.json'}\n`],
    [
      "a file of a ConfigMap from an address",
      `${RESOURCES}configMapGenerator: [{name: a, files: ['k=http://example.com/a']}]\n`,
    ],
    ["a chart", `${RESOURCES}helmCharts: [{name: a, repo: 'https://example.com'}]\n`],
    ["an unknown field", `${RESOURCES}plugins: [a]\n`],
    ["a field in capitals", `${RESOURCES}Components: [a]\n`],
    [
      "an inline function",
      `${RESOURCES}transformers:\n  - |\n    apiVersion: a/v1\n    kind: A\n    metadata:\n      name: a\n      annotations:\n        config.kubernetes.io/function: "exec: {path: ./a.sh}"\n`,
    ],
    ["an alias bomb", "a: &a [x, x]\nb: &b [*a, *a]\nresources: [pools.yaml]\n"],
    ["two documents", `${RESOURCES}---\nresources: [pools.yaml]\n`],
  ])("with %s are not built", async (_what, text) => {
    expect(await unbuilt({ [K]: text })).toMatch(/^base\/kustomization\.yaml: info: is not built/);
  });

  it("with a program as a transformer are not built, and it is not run", async () => {
    const transformer =
      'apiVersion: a/v1\nkind: A\nmetadata:\n  name: a\n  annotations:\n    config.kubernetes.io/function: "exec: {path: ./run.sh}"\n';
    let folder = "";
    const text = await unbuilt(
      {
        [K]: `${RESOURCES}transformers: [t.yaml]\n`,
        "base/t.yaml": transformer,
        "base/run.sh": "#!/bin/sh\ntouch ran\n",
      },
      (made) => {
        folder = made;
        chmodSync(join(made, "base/run.sh"), 0o755);
      },
    );
    expect(text).toContain("base/t.yaml has a function, which is a program");
    expect(existsSync(join(folder, "base/ran"))).toBe(false);
  });

  it("with links are not built", async () => {
    const text = await unbuilt({ [K]: "resources: [pools.yaml, link.yaml]\n" }, (folder) => {
      symlinkSync("/etc/hostname", join(folder, "base/link.yaml"));
    });
    expect(text).toMatch(/link/);
  });

  it("with files outside the input are not built", async () => {
    const outside = folderWith({ "secret.yaml": CLASS });
    const name = outside.slice(outside.lastIndexOf("/") + 1);
    expect(await unbuilt({ [K]: `resources: [pools.yaml, ../../${name}/secret.yaml]\n` })).toContain(
      "is outside the given paths",
    );
  });

  it("that take each other are not built", async () => {
    const text = await unbuilt({
      [K]: "resources: [pools.yaml, ../other]\nnamePrefix: a-\n",
      "other/kustomization.yaml": "resources: [../base]\n",
    });
    expect(text).toMatch(/is not built.*kustomize says/);
  });

  it("with a program that does not end, or writes without end, are told", async () => {
    const folder = folderWith({
      ...BASE,
      [K]: `${RESOURCES}namePrefix: a-\n`,
      "bin/kustomize": "#!/bin/sh\nexec /usr/bin/yes\n",
    });
    chmodSync(join(folder, "bin/kustomize"), 0o755);
    const { stdout } = await runAnp(["check", "base"], { cwd: folder, env: { PATH: join(folder, "bin") } });
    expect(stdout).toContain("kustomize wrote more than anp reads");
    writeFileSync(join(folder, "bin/kustomize"), "#!/bin/sh\nexec /usr/bin/sleep 60\n");
    const slow = await runAnp(["check", "base"], { cwd: folder, env: { PATH: join(folder, "bin") } });
    expect(slow.stdout).toContain("kustomize did not end within 10 s");
  });

  it("find neither variables nor programs of the user", async () => {
    const folder = folderWith({
      ...BASE,
      [K]: `${RESOURCES}namePrefix: a-\n`,
      "bin/kustomize": "#!/bin/sh\n/usr/bin/env >&2\nexit 1\n",
    });
    chmodSync(join(folder, "bin/kustomize"), 0o755);
    const env = { PATH: join(folder, "bin"), AWS_SECRET_ACCESS_KEY: "s3cr3t", GIT_SSH_COMMAND: "x" };
    const { stdout } = await runAnp(["check", "base"], { cwd: folder, env });
    expect(stdout).not.toMatch(/s3cr3t|GIT_/);
  });
});

describe("where nothing is run", () => {
  it.each([
    ["render", ["render", "."]],
    ["cmp", ["cmp", "generate"]],
    ["--no-render", ["check", ".", "--no-render"]],
  ])("%s starts no program", async (_what, args) => {
    const folder = folderWith({ ...FILES, "bin/kustomize": "#!/bin/sh\n/usr/bin/touch ran-it\n" });
    chmodSync(join(folder, "bin/kustomize"), 0o755);
    await runAnp(args, { cwd: folder, env: { PATH: join(folder, "bin") } });
    expect(existsSync(join(folder, "ran-it"))).toBe(false);
  });
});

it("findings stand at the entry of replacements and labels that wrote the field", async () => {
  const folder = folderWith({
    "base/kustomization.yaml": "resources: [pool.yaml, values.yaml]\n",
    "base/pool.yaml": POOL(0),
    "base/values.yaml": 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: v}\ndata: {weight: "500", memory: many}\n',
    "prod/kustomization.yaml": `resources: [../base]
labels:
  - pairs: {other: x}
  - pairs:
      team: "-bad"
    fields:
      - {path: spec/template/metadata/labels, kind: NodePool, create: true}
replacements:
  - source: {kind: ConfigMap, name: v, fieldPath: data.weight}
    targets:
      - select: {kind: NodePool}
        fieldPaths: [spec.weight]
  - path: memory.yaml
`,
    "prod/memory.yaml":
      "source: {kind: ConfigMap, name: v, fieldPath: data.memory}\ntargets: [{select: {kind: NodePool}, fieldPaths: [spec.limits.memory]}]\n",
  });
  const { stdout, stderr } = await run(folder, "check", ".", "-o", "json");
  expect(stderr).toBe("");
  const { findings } = JSON.parse(stdout) as { findings: { code: string; file: string; line: number }[] };
  const places = findings.flatMap(({ code, file, line }) => (code === "node-pool-invalid" ? [`${file}:${line}`] : []));
  expect(places.toSorted(), stdout).toStrictEqual([
    "prod/kustomization.yaml:12",
    "prod/kustomization.yaml:5",
    "prod/kustomization.yaml:8",
  ]);
});

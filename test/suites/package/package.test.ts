/** The npm package for users: its files, no dependencies, and a working program, library and types. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { blocksOf, readPage } from "../../support/docs/page.ts";
import { anp, buildOnce, NODE, QUICKSTART, ROOT } from "../../support/process/built.ts";

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

const env = { ...process.env, npm_config_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };
let packed: Packed;
let project: string;

beforeAll(async () => {
  await buildOnce();
  project = mkdtempSync(join(tmpdir(), "anp-package-"));
  // dist/ is built already, and other suites may be using it.
  const args = ["pack", ROOT, "--ignore-scripts", "--json", "--pack-destination", project];
  const [first] = JSON.parse(execFileSync("npm", args, { encoding: "utf8", env, stdio: "pipe" })) as Packed[];
  packed = first!;
  writeFileSync(join(project, "package.json"), '{"name": "consumer", "private": true}');
  const installed = spawnSync("npm", ["install", packed.filename], { cwd: project, encoding: "utf8", env });
  if (installed.status !== 0) throw new Error(installed.stderr);
});

describe("the package", () => {
  it("holds all needed files and nothing else", () => {
    expect(packed.files.map(({ path }) => path).toSorted()).toMatchInlineSnapshot(`
      [
        "LICENSE",
        "README.md",
        "bin/anp.js",
        "bin/package.json",
        "dist/anp.cjs",
        "dist/catalogue.json",
        "dist/findings.json",
        "dist/kube-config.cjs",
        "dist/library.cjs",
        "dist/library.d.cts",
        "dist/licenses.txt",
        "dist/live-queries.cjs",
        "dist/log-entry.cjs",
        "dist/pictures.cjs",
        "dist/prices.json",
        "dist/run-mcp.cjs",
        "dist/run-watch.cjs",
        "dist/run-webhook.cjs",
        "dist/show-dashboard.cjs",
        "package.json",
        "schemas/diff.schema.json",
        "schemas/function-config.schema.json",
        "schemas/render-config.schema.json",
        "schemas/watch-config.schema.json",
      ]
    `);
  });

  it("is at most 4.6 MB unpacked", () => {
    expect(packed.unpackedSize).toBeLessThan(4_600_000);
    expect(packed.unpackedSize).toBeGreaterThan(1_000_000);
  });

  it("installs no other package and runs no script when it is installed", () => {
    expect(readdirSync(join(project, "node_modules")).toSorted()).toStrictEqual([".bin", ".package-lock.json", "anp"]);
    const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")) as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    };
    expect(Object.keys(lock.packages)).toStrictEqual(["", "node_modules/anp"]);
    expect(lock.packages["node_modules/anp"]?.hasInstallScript).toBeUndefined();
  });

  it("has the licences of the code that is bundled", () => {
    const licenses = readFileSync(join(project, "node_modules/anp/dist/licenses.txt"), "utf8");
    const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    for (const name of [
      "commander",
      "d3-hierarchy",
      "d3-scale",
      "d3-shape",
      "diff",
      "ignore",
      "yaml",
      "zod",
      "@kubernetes/client-node",
      "@modelcontextprotocol/server",
    ])
      expect(licenses).toContain(`\n${name} ${manifest.devDependencies[name]} (`);
    expect(licenses).toContain("Copyright Eemeli Aro");
  });
});

describe("the program", () => {
  it("runs with npx", () => {
    const ran = spawnSync("npx", ["--offline", "anp", "render", QUICKSTART], { cwd: project, encoding: "utf8", env });
    expect({ status: ran.status, stdout: ran.stdout }).toStrictEqual({
      status: 0,
      stdout: anp(["render", QUICKSTART]).stdout,
    });
  });

  it("finds files that only some commands need", () => {
    const bin = join(project, "node_modules/anp/bin/anp.js");
    expect(anp(["explain", QUICKSTART], { bin }).stdout).toBe(anp(["explain", QUICKSTART]).stdout);
    expect(anp(["diff", QUICKSTART, "--live", "--kubeconfig", "nowhere"], { bin, cwd: project })).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining("the kubeconfig nowhere cannot be read") as string,
    });
  });
});

const CONSUMER = `
const files: InputFile[] = [{ path: "pool.yaml", text: POOL }];
const { manifests, findings }: { readonly manifests: readonly Manifest[]; readonly findings: readonly Finding[] } =
  render(files, { profile: "karpenter-1.14", hostedCluster: undefined });
const verdicts: readonly ("ok" | "unknown" | "narrowed" | "unsatisfiable" | "bypassed")[] = explain(files).nodePools.map(
  (pool: NodePoolExplanation) => pool.verdict,
);
const answer: { readonly resourceList: string | undefined; readonly exitCode: number } = fn(LIST);
const line: number | undefined = check(files, { rules: "rosa" }).findings[0]?.line;
console.log(
  JSON.stringify({
    kinds: manifests.map((manifest) => manifest.kind + "/" + manifest.metadata.name).slice(-1),
    codes: findings.map((finding) => finding.code),
    yaml: toYaml(manifests).length > 1000,
    verdicts,
    exit: answer.exitCode,
    line: typeof line,
  }),
);
// @ts-expect-error There is no such option.
const misspelt: RenderOptions = { requirePolcy: true };
// @ts-expect-error What was answered is not changed.
if (misspelt === undefined) manifests[0]!.kind = "Pod";
`;

const TEXTS = `
const POOL = ${JSON.stringify(readFileSync(join(QUICKSTART, "users/pools.yaml"), "utf8"))};
const LIST = "apiVersion: config.kubernetes.io/v1\\nkind: ResourceList\\nitems: []\\n";
declare const console: { log(text: string): void };
`;

const NAMES = ["check", "explain", "fn", "render", "toYaml"];
const TYPES = ["Finding", "InputFile", "Manifest", "NodePoolExplanation", "RenderOptions"];

describe("the library", () => {
  it.each([
    ["mts", `import { ${NAMES.join(", ")} } from "anp";\nimport type { ${TYPES.join(", ")} } from "anp";`],
    [
      "cts",
      `import anp = require("anp");\nconst { ${NAMES.join(", ")} } = anp;\n${TYPES.map((name) => `type ${name} = anp.${name};`).join("\n")}`,
    ],
  ])("compiles with its types and runs: %s", (extension, imports) => {
    const folder = join(project, extension);
    mkdirSync(folder);
    writeFileSync(join(folder, `consumer.${extension}`), imports + TEXTS + CONSUMER);
    const compilerOptions = {
      module: "nodenext",
      target: "es2024",
      lib: ["es2024"],
      strict: true,
      exactOptionalPropertyTypes: true,
      // The package's own types are checked too, and need no others.
      skipLibCheck: false,
      types: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [`consumer.${extension}`] }));
    const compiled = spawnSync(NODE, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder], {
      encoding: "utf8",
    });
    expect(compiled.stdout).toBe("");
    const file = join(folder, `consumer.${extension.replace("ts", "js")}`);
    expect(existsSync(file)).toBe(true);
    const { stdout, stderr } = spawnSync(NODE, [file], { cwd: folder, encoding: "utf8", env });
    expect({ stderr, said: JSON.parse(stdout || "null") as unknown }).toMatchInlineSnapshot(`
      {
        "said": {
          "codes": [
            "hosted-cluster-absent",
          ],
          "exit": 1,
          "kinds": [
            "NodePool/web",
          ],
          "line": "number",
          "verdicts": [
            "ok",
            "ok",
            "ok",
          ],
          "yaml": true,
        },
        "stderr": "",
      }
    `);
  });

  it("is as its page says", () => {
    const [, file, command] = blocksOf(readPage("docs/library.md"));
    expect([file?.note?.value, command?.lines[0]]).toStrictEqual(["example.mjs", "$ node example.mjs"]);
    writeFileSync(join(project, "example.mjs"), file!.lines.join("\n"));
    const { stdout, stderr } = spawnSync(NODE, ["example.mjs"], { cwd: project, encoding: "utf8", env });
    expect(stderr).toBe("");
    expect(command!.lines.slice(1)).toStrictEqual(stdout.trimEnd().split("\n"));
  });
});

/** action.yml with releases of a local server: valid, tampered with, incomplete, or missing. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { tar } from "../../../scripts/release/archives.ts";
import { type Ran, runSteps, type Step } from "../../support/ci/github-runner.ts";
import { serveFiles } from "../../support/ci/serve-files.ts";
import { buildOnce, NODE, ROOT } from "../../support/process/built.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { programsIn } from "../../support/process/programs.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

type Files = Readonly<Record<string, Uint8Array>>;

const ACTION = parse(readFileSync(join(ROOT, "action.yml"), "utf8")) as Action;
const OWN = (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }).version;
const ARCHIVE = "anp-9.8.7-linux-x64.tar.gz";

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The files with their sums, as scripts/release/build-release.ts writes them. */
function release(files: Files, sums: Files = files): Files {
  const lines = Object.entries(sums).map(([name, bytes]) => `${hash(bytes)}  ${name}\n`);
  return { ...files, SHA256SUMS: Buffer.from(lines.join("")) };
}

/** An archive with a program that prints its version and, for everything else, its arguments. */
function archiveOf(version: string): Uint8Array {
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo "called: $*"; fi\n`;
  return gzipSync(tar([{ name: "anp", bytes: Buffer.from(script), executable: true }], 0));
}

const SOUND = release({ [ARCHIVE]: archiveOf("9.8.7") });

interface Asked {
  readonly version?: string;
  readonly baseUrl?: string;
  readonly runner?: readonly [system: string, machine: string];
  readonly inputs?: Readonly<Record<string, string>>;
  readonly programs?: Readonly<Record<string, string>>;
  readonly status?: number;
}

interface Provided extends Ran {
  readonly url: string;
  readonly workspace: string;
  /** The files in the folder that goes to the PATH. */
  readonly left: readonly string[];
}

/** The action with setup alone, and a later step that runs anp. */
async function provide(files: Files, asked: Asked = {}): Promise<Provided> {
  const { version = "9.8.7", runner: [os, arch] = ["Linux", "X64"], inputs = {}, programs = {} } = asked;
  const server = await serveFiles(files, asked.status);
  onTestFinished(() => void server.end());
  const folder = folderWith({ "workspace/a.txt": "", "runner/a.txt": "" });
  const temporary = join(folder, "runner");
  const workspace = join(folder, "workspace");
  const defaults = Object.fromEntries(Object.entries(ACTION.inputs).map(([name, input]) => [name, input.default]));
  const url = `${server.url}/v9.8.7`;
  const given = { version, "base-url": asked.baseUrl ?? url, "setup-only": "true" };
  const contexts = { inputs: { ...defaults, ...given, ...inputs }, github: { action_path: ROOT, event_name: "push" } };
  const path = [programsIn(folderWith({}), programs), dirname(NODE), process.env["PATH"]].join(delimiter);
  const env = { RUNNER_OS: os, RUNNER_ARCH: arch, no_proxy: "127.0.0.1" };
  const asks = { name: "own step", shell: "bash", run: "anp render a" };
  const ran = runSteps([...ACTION.runs.steps, asks], { workspace, temporary, path, contexts, env });
  const bin = join(temporary, "anp-bin");
  return { ...ran, url, workspace, left: existsSync(bin) ? readdirSync(bin).toSorted() : [] };
}

const answerOf = ({ exit, step, stdout }: Ran): object => ({ exit, step, stdout });

describe("a release", () => {
  it("with an executable for the runner is installed, once its sum is right", async () => {
    const ran = await provide(SOUND);
    const stdout = `anp 9.8.7: the executable for linux-x64 of ${ran.url}\ncalled: render a\n`;
    expect({ ...answerOf(ran), left: ran.left }).toStrictEqual({
      exit: 0,
      step: "own step",
      stdout,
      left: ["SHA256SUMS", "anp"],
    });
  });

  it.each([
    ["Linux", "ARM64", "linux-arm64"],
    ["macOS", "X64", "macos-x64"],
    ["macOS", "ARM64", "macos-arm64"],
    ["Windows", "X64", "windows-x64"],
  ] as const)("is requested by %s %s for %s", async (os, arch, target) => {
    const ran = await provide(release({ [`anp-9.8.7-${target}.tar.gz`]: archiveOf("9.8.7") }), { runner: [os, arch] });
    expect([ran.exit, ran.stdout]).toStrictEqual([
      0,
      `anp 9.8.7: the executable for ${target} of ${ran.url}\ncalled: render a\n`,
    ]);
  });

  it("is known by its tag too", async () => {
    expect((await provide(SOUND, { version: "v9.8.7" })).exit).toBe(0);
  });

  it("that was tampered with is refused, and nothing of it is left", async () => {
    const tampered = release({ [ARCHIVE]: archiveOf("9.8.7 evil") }, { [ARCHIVE]: archiveOf("9.8.7") });
    const ran = await provide(tampered);
    const said = `::error title=anp::${ran.url}/${ARCHIVE} is not the file that SHA256SUMS of the release names\n`;
    expect({ ...answerOf(ran), left: ran.left }).toStrictEqual({
      exit: 1,
      step: "Provide anp",
      stdout: said,
      left: ["SHA256SUMS"],
    });
  });

  it("without the archive that it names is refused", async () => {
    const { [ARCHIVE]: _gone, ...rest } = SOUND;
    const ran = await provide(rest);
    const said = `::error title=anp::${ran.url}/${ARCHIVE} cannot be downloaded (404)\n`;
    expect(answerOf(ran)).toStrictEqual({ exit: 1, step: "Provide anp", stdout: said });
  });

  it("with another version in the archive is refused", async () => {
    const ran = await provide(release({ [ARCHIVE]: archiveOf("9.8.6") }));
    expect(answerOf(ran)).toStrictEqual({
      exit: 1,
      step: "Provide anp",
      stdout: "::error title=anp::this is not anp 9.8.7\n",
    });
  });

  it("with neither an executable nor the package is refused", async () => {
    const ran = await provide(SOUND, { runner: ["Linux", "ARM"] });
    const said = `::error title=anp::the release at ${ran.url} has neither anp-9.8.7-none.tar.gz nor anp-9.8.7.tgz\n`;
    expect(answerOf(ran)).toStrictEqual({ exit: 1, step: "Provide anp", stdout: said });
  });

  it("that a server does not serve is no reason to take another", async () => {
    const ran = await provide(SOUND, { status: 403 });
    const said = `::error title=anp::${ran.url}/SHA256SUMS cannot be downloaded (403)\n`;
    expect(answerOf(ran)).toStrictEqual({ exit: 1, step: "Provide anp", stdout: said });
  });
});

describe("without an executable", () => {
  let folder: string;
  let tarball: Uint8Array;

  beforeAll(async () => {
    await buildOnce();
    folder = mkdtempSync(join(tmpdir(), "anp-action-"));
    execFileSync("npm", ["pack", ROOT, "--ignore-scripts", "--pack-destination", folder], { stdio: "ignore" });
    tarball = readFileSync(join(folder, `anp-${OWN}.tgz`));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const asked = { version: OWN, runner: ["Linux", "RISCV64"] as const };
  const program = `anp-${OWN}.tgz`;

  it("the release's npm package is installed, and says why", async () => {
    const ran = await provide(release({ [program]: tarball }), asked);
    expect(ran.stdout).toContain(
      `anp ${OWN}: the npm package of ${ran.url}, which has no executable for Linux RISCV64, with the node of the PATH\n`,
    );
    // An error of the later step: it reads a missing folder.
    expect([ran.exit, ran.step, ran.stderr]).toStrictEqual([
      3,
      "own step",
      expect.stringContaining("a: error: does not exist") as string,
    ]);
  });

  it("and the package is another one, it is refused", async () => {
    const ran = await provide(release({ [program]: tarball }, { [program]: Buffer.from("another") }), asked);
    expect([ran.exit, ran.left]).toStrictEqual([1, ["SHA256SUMS"]]);
  });

  it("nor a release of the action's own version, its own commit is built, and says why", async () => {
    const npm = 'echo "npm $* in $PWD"';
    const ran = await provide({}, { ...asked, programs: { npm } });
    const how = `built of the action's own commit by npm ci, since there is no release at ${ran.url}`;
    const here = ROOT.replace(/\/$/, "");
    expect(ran.stdout).toBe(`npm ci --no-audit --no-fund in ${here}\nanp ${OWN}: ${how}\n`);
    expect([ran.step, ran.left]).toStrictEqual(["own step", ["anp"]]);
  });

  it("nor a release of another version, it says so", async () => {
    const ran = await provide({});
    const stdout = `::error title=anp::there is no release at ${ran.url}\n`;
    expect(answerOf(ran)).toStrictEqual({ exit: 1, step: "Provide anp", stdout });
  });
});

describe("hostile inputs", () => {
  it.each([
    "1.0.0; touch hacked",
    "$(touch hacked)",
    "`touch hacked`",
    "1.0.0\n::add-path::/tmp",
    "../1.0.0",
    '"1.0.0"',
  ])("no version: %j", async (version) => {
    const ran = await provide(SOUND, { version });
    const stdout = `::error title=anp::version has to be one such as ${OWN}\n`;
    expect(answerOf(ran)).toStrictEqual({ exit: 1, step: "Provide anp", stdout });
    expect(readdirSync(ran.workspace)).toStrictEqual(["a.txt"]);
  });

  it.each([
    "http://example.com/anp",
    "http://127.0.0.1:1@example.com/anp",
    "file:///etc",
    "https://example.com/a b",
    "https://example.com/\n::error::",
    "--output=x",
  ])("no base-url: %j", async (baseUrl) => {
    const ran = await provide(SOUND, { baseUrl });
    const stdout = "::error title=anp::base-url has to begin with https:// and to hold no blank\n";
    expect(answerOf(ran)).toStrictEqual({ exit: 1, step: "Provide anp", stdout });
  });

  it("a base-url is text in every position", async () => {
    const ran = await provide(SOUND, { baseUrl: "https://127.0.0.1:1/$(touch${IFS}hacked)'\"{a,b}" });
    expect([ran.exit, readdirSync(ran.workspace)]).toStrictEqual([1, ["a.txt"]]);
  });

  it("a name of SHA256SUMS is neither a pattern nor a path", async () => {
    const sums = `${"0".repeat(64)}  anp-9.8.7-linux.x64.tar.gz\n${"0".repeat(64)}  ../${ARCHIVE}\n`;
    const ran = await provide({ [ARCHIVE]: archiveOf("9.8.7"), SHA256SUMS: Buffer.from(sums) });
    expect(ran.stdout).toContain("has neither anp-9.8.7-linux-x64.tar.gz nor anp-9.8.7.tgz");
  });
});

it("takes an anp on the PATH if no version is requested", async () => {
  const ran = await provide({}, { version: "", programs: { anp: 'echo "own $*"' } });
  expect([ran.exit, ran.stdout]).toStrictEqual([0, "anp own --version, as it is on the PATH\nown render a\n"]);
});

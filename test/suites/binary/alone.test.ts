/** The executable alone, without node, dist/ or environment: all that anp loads is in it. */
import { spawnSync } from "node:child_process";
import { cpSync, chmodSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { isInstalled, openTerminal } from "../../support/completion/terminal.ts";
import { anp, type Ended, ordinaryUser, QUICKSTART, ROOT } from "../../support/process/built.ts";
import { executable, OWN } from "../../support/binary/executable.ts";

const own = await executable(OWN, "the tests of the executable alone");
const terminal = isInstalled("script");
if (!terminal) console.warn("the dashboard in the executable is skipped: script, which gives a terminal, is missing");

describe.skipIf("skipped" in own)("the executable alone", () => {
  let folder: string;
  let program: string;
  let kubeconfig: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "anp-alone-"));
    program = join(folder, "anp");
    cpSync("command" in own ? (own.command.at(-1) ?? "") : "", program);
    cpSync(QUICKSTART, join(folder, "in"), { recursive: true });
    kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(await closedPort())));
    // The folder holds files of another user, and is read-only.
    chmodSync(folder, 0o555);
  });

  function run(args: readonly string[], { input = "", env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {}) {
    const uid = ordinaryUser();
    const user = uid === undefined ? {} : { uid, gid: uid };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, input, env, encoding: "utf8", ...user });
    return { exit: status, stdout, stderr };
  }

  it("renders for a user without rights, in a read-only folder", () => {
    const rendered = run(["render", "in"]);
    expect(rendered).toMatchObject({ exit: 0, stdout: anp(["render", QUICKSTART]).stdout });
    expect(rendered.stdout).toContain("kind: NodePool\n");
    expect(readdirSync(folder).toSorted()).toStrictEqual(["anp", "in", "kubeconfig"]);
  });

  it("has the catalogue of instance types", () => {
    const args = ["catalogue", "--where", "karpenter.k8s.aws/instance-family=m5"];
    const { exit, stdout } = run(args);
    expect({ exit, stdout }).toStrictEqual({ exit: 0, stdout: anp(args).stdout });
    expect(stdout).toContain("m5.xlarge");
  });

  it("is a KRM function if its input is a ResourceList", () => {
    const { stdout: list } = run(["render", "in", "-o", "resourcelist"]);
    expect(run([], { input: list })).toMatchObject({
      exit: 1,
      stdout: expect.stringContaining("kind: ResourceList") as string,
    });
  });

  it.each([
    ["--require", "/nowhere/trace.js"],
    ["--max-old-space-size=bad", ""],
  ])("ignores NODE_OPTIONS: %s %s", (option, value) => {
    expect(run(["--version"], { env: { NODE_OPTIONS: `${option} ${value}`.trim() } })).toMatchObject({
      exit: 0,
      stderr: "",
    });
  });

  it.each<[string, readonly string[], Partial<Ended>]>([
    [
      "watch, and says that the kubeconfig is wrong",
      ["watch", "in", "--once", "--hosted-cluster", "clusters-shop", "--guest-kubeconfig", "nowhere"],
      { exit: 4, stderr: expect.stringContaining("the kubeconfig nowhere cannot be read") as string },
    ],
    [
      "watch, and says that the cluster cannot be reached",
      ["watch", "in", "--once", "--hosted-cluster", "clusters-shop", "--guest-kubeconfig", "kubeconfig"],
      {
        exit: 4,
        stderr: expect.stringMatching(/the guest cluster cannot be listed: .* cannot be reached/) as string,
      },
    ],
    [
      "diff --live",
      ["diff", "in", "--live", "--kubeconfig", "kubeconfig"],
      {
        exit: 4,
        stdout: "",
        stderr: expect.stringMatching(/^anp: https:\/\/127\.0\.0\.1:\d+ cannot be reached/) as string,
      },
    ],
  ])("loads what only %s needs", (_what, args, wanted) => {
    expect(run(args)).toMatchObject(wanted);
  });

  it("refuses to answer agents, and says what does", () => {
    const { exit, stdout, stderr } = run(["mcp", "in"]);
    expect({ exit, stdout }).toStrictEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain("install the package, with Node 22.19 or newer, or run npx anp mcp in a clone");
  });

  it("loads the code that only the webhook needs", () => {
    const { exit, stdout, stderr } = run(["webhook", "--cert", "none", "--key", "none"]);
    expect({ exit, stdout, stderr }).toStrictEqual({
      exit: 3,
      stdout: "",
      stderr: "anp: none cannot be read: ENOENT\n",
    });
  });

  it.skipIf(!terminal)("draws the dashboard", async () => {
    const line = `${program} watch in --hosted-cluster clusters-shop --guest-kubeconfig kubeconfig`;
    const shown = openTerminal(line, folder, { TERM: "xterm", HOME: folder });
    try {
      await shown.type("", /cannot be reached/);
      await shown.type("q", /\[\?1049l/);
    } finally {
      shown.close();
    }
  });
});

it("prints what the documentation says if it cannot be built", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/binary.ts", "amiga"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect({ status, stderr }).toStrictEqual({
    status: 2,
    stderr: "npm run binary -- [linux-x64 | linux-arm64 | macos-x64 | macos-arm64 | windows-x64]…\n",
  });
});

/** A port that was free a moment ago: no server answers there. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

function kubeconfigOf(port: number): unknown {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    clusters: [{ name: "c", cluster: { server: `https://127.0.0.1:${port}` } }],
    users: [{ name: "u", user: {} }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
  };
}

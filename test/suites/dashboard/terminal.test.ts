/** The built `anp watch` in a real terminal with real clusters: frames, keys, and the restored terminal after each end. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { identityOf, type LiveObject } from "../../../src/cluster/api/live-object.ts";
import { FILES } from "../../../src/commands/cli/context.ts";
import { catalogueOfCompact } from "../../../src/karpenter/catalogue/catalogue-of-compact.ts";
import type { CompactCatalogue } from "../../../src/model/catalogue/compact-catalogue.ts";
import { isInstalled } from "../../support/completion/terminal.ts";
import { apply, until } from "../../support/controlplane/objects.ts";
import { buildOnce, QUICKSTART } from "../../support/process/built.ts";
import { ARCH, isIn, NAMESPACE, nodeClass, policy, pool, TYPE } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { apiOf, live, nodePool, OPERATOR, pass, put, watched } from "../../support/watch/rig.ts";
import { openTmux, type TmuxTerminal } from "../../support/dashboard/tmux.ts";
import { appliedKind } from "../../../src/model/objects/applied-kinds.ts";

const noTmux = !isInstalled("tmux");
if (noTmux) console.warn("tests of the dashboard in a terminal are skipped: tmux is not installed");

const BUILD_MS = 5 * 60_000;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describeOnClusters("the dashboard", (rig) => {
  let terminal: TmuxTerminal | undefined;

  beforeAll(buildOnce, BUILD_MS);

  afterEach(() => {
    terminal?.close();
    terminal = undefined;
  });

  /** One pool for each verdict and state that needs no Karpenter. */
  async function putPools(): Promise<void> {
    await put(rig.management, policy([isIn(ARCH, "amd64")]));
    await put(rig.guest, pool("web", [isIn(ARCH, "amd64", "arm64")], { limits: { nodes: "10", cpu: "64" } }));
    await put(rig.guest, pool("gpu", [isIn(ARCH, "arm64")]));
    await put(rig.guest, pool("small", [isIn(TYPE, "m5.large", "m5.xlarge")]));
    await put(rig.guest, nodeClass("spare"));
    await put(rig.guest, pool("mine"));
    const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
    const mine = { ...nodePool("mine"), spec: { template: { spec: { requirements: [], nodeClassRef } } } };
    // The guards of an earlier test may still be in force, and allow only the operator to write.
    const { status, text } = await apply(rig.guest, OPERATOR, mine);
    if (status >= 300) throw new Error(text);
  }

  /** As Karpenter would write it. */
  async function putStatus(name: string, status: object): Promise<void> {
    const object = (await live(rig.guest, nodePool(name))) as unknown as LiveObject;
    const answer = await apiOf(rig, "guest", OPERATOR).patchStatus(appliedKind("NodePool"), identityOf(object), status);
    if (!answer.ok) throw new Error(answer.error.message);
  }

  const notReady = {
    type: "Ready",
    status: "False",
    reason: "NodeClassNotReady",
    message: "ec2nodeclass default is not ready",
    lastTransitionTime: "2026-11-22T03:00:00Z",
  };

  test("a pass has all facts on each pool and class", async () => {
    await putPools();
    const cluster = watched(rig);
    await pass(cluster);
    await putStatus("web", { resources: { nodes: "3", cpu: "12" }, conditions: [notReady] });
    const catalogue = catalogueOfCompact(JSON.parse(FILES.readShipped("catalogue.json")) as CompactCatalogue);
    let asked = 0;
    const { details } = await pass(cluster);
    const { pools, nodeClasses, problems } = details(() => {
      asked++;
      return catalogue;
    });
    expect(asked).toBe(0);
    const rows = pools.map(({ name, state, explained, usage, nodeClass: ref }) => {
      const { verdict, instanceTypes } = explained() ?? {};
      return { name, state: state.words, verdict, types: instanceTypes?.compatible, usage, ref };
    });
    const uncounted = [{ resource: "nodes", used: undefined, limit: undefined }];
    const typesOf = (wanted: string): number => rows.find(({ name }) => name === wanted)?.types ?? 0;
    const amd64 = typesOf("mine");
    expect(amd64).toBeGreaterThan(500);
    // Its limit of 64 CPUs excludes larger types.
    expect(typesOf("web")).toBeGreaterThan(500);
    expect(typesOf("web")).toBeLessThan(amd64);
    expect(rows).toEqual([
      { name: "gpu", state: "in sync", verdict: "unsatisfiable", types: 0, usage: uncounted, ref: "default" },
      { name: "mine", state: "foreign object", verdict: "ok", types: amd64, usage: uncounted, ref: "default" },
      { name: "small", state: "in sync", verdict: "ok", types: 2, usage: uncounted, ref: "default" },
      {
        name: "web",
        state: "in sync",
        verdict: "narrowed",
        types: typesOf("web"),
        usage: [
          { resource: "nodes", used: "3", limit: "10" },
          { resource: "cpu", used: "12", limit: "64" },
        ],
        ref: "default",
      },
    ]);
    expect(asked).toBe(1);
    expect(pools.find(({ name }) => name === "web")?.conditions).toMatchObject([
      { status: "False", reason: "NodeClassNotReady", message: "ec2nodeclass default is not ready" },
    ]);
    expect(nodeClasses.map(({ name, state, pools: used }) => [name, state.words, used])).toEqual([
      ["default", "in sync", ["gpu", "mine", "small", "web"]],
      ["spare", "held", []],
    ]);
    expect(problems.map(({ about, state }) => `${about} ${state}`)).toEqual([
      "NodePool mine foreign object",
      "EC2NodeClass spare held",
      "NodePool gpu gets no nodes",
    ]);
    expect(pools.map(({ name, judged }) => `${name} ${judged?.verdict}`)).toEqual([
      "gpu unsatisfiable",
      "mine undefined",
      "small ok",
      "web narrowed",
    ]);
  });

  const flags = () =>
    [
      `--hosted-cluster ${NAMESPACE}`,
      `--guest-kubeconfig ${rig.kubeconfig("guest", OPERATOR)}`,
      `--management-kubeconfig ${rig.kubeconfig("management", "guest-admin")}`,
      "--interval 10m",
    ].join(" ");

  /** Replaces times, which differ in each run, and the rest of lines that they shift. */
  const timeless = (lines: readonly string[]): string =>
    `${lines
      .map((line) =>
        line
          .replaceAll(/(?<=\s)\d+[smhd](?=\s|$)/g, "~")
          .replaceAll(/(?<=\S) {2,}/g, "  ")
          .replace(/^(.{140}).*…$/, "$1…")
          .trimEnd(),
      )
      .join("\n")}\n`;

  /** Waits until the screen matches the file. */
  const isFrame = async (tmux: TmuxTerminal, file: string): Promise<void> => {
    const path = new URL(`frames/${file}`, import.meta.url);
    const wanted = existsSync(path) ? readFileSync(path, "utf8") : "";
    let frame = "";
    const isDrawn = async (): Promise<boolean> => (frame = timeless(tmux.screen())) === wanted;
    // On a mismatch, the comparison shows the difference.
    await until("the frame", isDrawn, 10_000).catch(() => undefined);
    await expect(frame).toMatchFileSnapshot(`frames/${file}`);
  };

  const isRestored = async (tmux: TmuxTerminal, exit: number): Promise<void> => {
    const lines = await tmux.shows(new RegExp(`^exit=${exit}$`, "m"));
    expect(lines[0]).toBe("$ echo before");
    expect(lines[1]).toBe("before");
    expect(lines.join("\n")).not.toContain("─");
    expect(tmux.state()).toEqual({ cursor: true, alternate: false });
    // Lines are edited and echoed again.
    tmux.enter("clear; stty -a | tr ';' '\\n' | grep -o -- '-\\?icanon\\|-\\?echo ' | sort | tr -d '\\n'; echo .");
    await tmux.shows(/^echo icanon\.$/m);
  };

  const start = async (tmux: TmuxTerminal, line: string): Promise<void> => {
    tmux.enter("echo before");
    await tmux.shows(/^before$/m);
    tmux.enter(`${line}; echo exit=$?`);
  };

  test.skipIf(noTmux)("80×24, opened, 200×50 and back; paused; quit", async () => {
    await putPools();
    terminal = await openTmux(80, 24);
    await start(terminal, `anp watch ${flags()}`);
    // The first pass creates them; the second is triggered by that, and finds them in sync.
    await terminal.shows(/ 12\/14 .*held +\d+s +\d+m/);
    await isFrame(terminal, "terminal-fleet.txt");
    expect(terminal.state()).toEqual({ cursor: false, alternate: true });
    await putStatus("web", { resources: { nodes: "3", cpu: "12" } });
    terminal.keys("r");
    await until("the next pass", async () => /watch is reconciled now/.test(terminal!.screen().join("\n")));
    await terminal.shows(/in sync/);
    terminal.keys("Enter");
    await terminal.shows(/ 3\/10 /);
    await terminal.shows(/next in[^]*(?:updated|created)/);
    await isFrame(terminal, "terminal-cluster.txt");
    terminal.resize(200, 50);
    await terminal.shows(/NODE CLASS +READY +STATE/);
    await isFrame(terminal, "terminal-cluster-200x50.txt");
    expect(terminal.screen()).toHaveLength(50);
    terminal.resize(80, 24);
    await terminal.shows(/TYPES +NODES +STATE/);
    await isFrame(terminal, "terminal-cluster.txt");
    terminal.keys("Down", "Down", "Down", "Enter");
    await terminal.shows(/instance types left/);
    terminal.keys("Escape");
    await terminal.shows(/POOL +VERDICT/);
    terminal.keys("f");
    await terminal.shows(/Problems \(3\)/);
    terminal.keys("Escape");
    await terminal.shows(/POOL +VERDICT/);
    terminal.keys("p");
    await terminal.shows(/· paused/);
    await put(rig.guest, pool("late"));
    terminal.keys("l");
    await terminal.shows(/reconciled cluster=watch/);
    expect(terminal.screen().join("\n")).not.toContain("NodePool late");
    terminal.keys("Escape");
    await terminal.shows(/· paused/);
    terminal.keys("p");
    await terminal.shows(/ late /);
    terminal.keys("q");
    await isRestored(terminal, 0);
  });

  test.skipIf(noTmux)("Ctrl-C and SIGTERM restore the terminal", async () => {
    terminal = await openTmux(100, 30);
    await start(terminal, `anp watch ${flags()}`);
    await terminal.shows(/Applied/);
    terminal.keys("C-c");
    await isRestored(terminal, 0);
    terminal.enter("clear");
    await terminal.shows(/^\$$/);
    await start(terminal, `anp watch ${flags()}`);
    await terminal.shows(/Applied/);
    process.kill(terminal.pid(), "SIGTERM");
    await isRestored(terminal, 0);
  });

  test.skipIf(noTmux)("closing the terminal ends the program", async () => {
    terminal = await openTmux(80, 24);
    await start(terminal, `anp watch ${flags()}`);
    await terminal.shows(/Applied/);
    const pid = terminal.pid();
    terminal.close();
    terminal = undefined;
    await until("its end", async () => !isRunning(pid), 5000);
  });

  test.skipIf(noTmux)("with a server that never answers, q waits for the pass, and a second q does not", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as AddressInfo;
    const file = join(rig.folder, "silent");
    writeFileSync(file, rig.guest.kubeconfig(OPERATOR).replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`));
    terminal = await openTmux(80, 24);
    await start(terminal, `anp watch --hosted-cluster ${NAMESPACE} --guest-kubeconfig ${file} ${QUICKSTART}`);
    await terminal.shows(/ running$/m);
    terminal.keys("q");
    await terminal.shows(/stopping after the passes that run; q again: at once/);
    terminal.keys("q");
    await isRestored(terminal, 130);
    silent.close();
  });

  test.skipIf(noTmux)("NO_COLOR: the selection is still visible", async () => {
    terminal = await openTmux(80, 24, { NO_COLOR: "1" });
    await start(terminal, `anp watch ${flags()}`);
    await terminal.shows(/ ▸ watch +Apply +/);
    // oxlint-disable-next-line no-control-regex -- the escapes of colours
    expect(terminal.painted()).not.toMatch(/\u001b\[(?!0?m|39|49)/);
    terminal.keys("q");
    await isRestored(terminal, 0);
  });

  test.skipIf(noTmux).each(["TERM=dumb", "TERM=", "CI=true"])("%s: lines of the log", async (variable) => {
    terminal = await openTmux(120, 40);
    await start(terminal, `export ${variable}; anp watch ${flags()}`);
    await terminal.shows(/^time=\S+ level=info msg=reconciled cluster=watch result=ok/m);
    terminal.keys("C-c");
    await isRestoredLines(terminal);
  });

  test.skipIf(noTmux).each(["--log-format logfmt", "--log-format json", "2> >(cat)", "< /dev/null"])(
    "%s: lines of the log",
    async (how) => {
      terminal = await openTmux(120, 40);
      await start(terminal, `anp watch ${flags()} ${how}`);
      await terminal.shows(/reconciled/);
      expect(terminal.state()).toEqual({ cursor: true, alternate: false });
      terminal.keys("C-c");
      await isRestoredLines(terminal);
    },
  );

  const isRestoredLines = async (tmux: TmuxTerminal): Promise<void> => {
    await tmux.shows(/^exit=0$/m);
    expect(tmux.state()).toEqual({ cursor: true, alternate: false });
  };
});

/** The built program between other programs: slow, empty and closed streams, large data, colours. */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { anp, BIN, buildOnce, NODE, shell } from "../../support/process/built.ts";
import { folderWith, manyPools, outsider, policy, pool } from "../../support/process/inputs.ts";

beforeAll(buildOnce);

const OK = `${policy()}---\n${pool()}`;
const BYPASSED = `${policy("clusters-shop", "[a]", "example.com/team")}---\n${outsider}`;

describe("the standard input", () => {
  it("is unreadable when it is /dev/null", () => {
    expect(anp(["render"])).toMatchObject({ exit: 3, stdout: "" });
  });

  it("is unreadable when it is closed", () => {
    expect(shell("anp render - <&-", "/")).toMatchObject({ exit: 3, stdout: "" });
  });

  it("is unreadable when it is a directory", () => {
    const { exit, stdout, stderr } = shell("anp render - < /", "/");
    expect({ exit, stdout }).toStrictEqual({ exit: 3, stdout: "" });
    expect(stderr).toContain("<stdin>");
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("is waited for when the other program takes its time", () => {
    const folder = folderWith({ "policy.yaml": policy(), "pool.yaml": pool() });
    const line = "(cat policy.yaml; sleep 0.3; echo ---; sleep 0.3; cat pool.yaml) | anp render";
    expect(shell(line, folder)).toStrictEqual(anp(["render", "-"], { input: OK }));
  });

  it("is waited for when the other side is a socket that fills slowly", async () => {
    const child = spawn(NODE, [BIN, "render"]);
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    for (const line of OK.split(/(?<=\n)/)) {
      child.stdin.write(line);
      await sleep(25);
    }
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(stdout).toBe(anp(["render"], { input: OK }).stdout);
  });

  it("is waited for when another program has made it non-blocking", () => {
    const folder = folderWith({ "policy.yaml": policy(), "pool.yaml": pool() });
    const slow = "(cat policy.yaml; sleep 1; echo ---; cat pool.yaml)";
    const other = `"$NODE" -e "process.stdin; setTimeout(() => {}, 1500)" <&0 & sleep 0.4`;
    expect(shell(`${slow} | { ${other}; anp render; }`, folder)).toStrictEqual(anp(["render", "-"], { input: OK }));
  });

  it("may be large, and so may the output", () => {
    const { exit, stdout } = anp(["render"], { input: `${policy()}---\n${manyPools(2000)}` });
    expect(exit).toBe(0);
    expect(stdout.match(/^kind: NodePool$/gm)).toHaveLength(2000);
    expect(stdout.endsWith("\n")).toBe(true);
  });
});

describe("a reader that closes its end", () => {
  const one = () => folderWith({ "all.yaml": OK });
  /** More than a pipe holds. */
  const many = () => folderWith({ "policy.yaml": policy(), "pools.yaml": manyPools(500) });

  const LOST = "anp: the standard output cannot be written: it was closed before all of it was read\n";

  it.each([
    ["head -1", "apiVersion: admissionregistration.k8s.io/v1\n"],
    ["head -0", ""],
    ["true", ""],
  ])("is a failure, because the reader may have missed anything: %s", (reader, read) => {
    const { exit, stdout, stderr } = shell(`anp render . | ${reader}; echo "exit \${PIPESTATUS[0]}"`, many());
    expect({ exit, stdout, stderr }).toStrictEqual({ exit: 0, stdout: `${read}exit 1\n`, stderr: LOST });
  });

  it.each(["check .", "explain .", "check --prove .", "simulate .", "crds", "catalogue", "--help"])(
    "is one for every command that prints: %s",
    (command) => {
      // Closed before anp starts.
      const line = `exec 4> >(exec true); wait "$!"; anp ${command} >&4; echo "exit $?"`;
      const { stdout, stderr } = shell(line, one());
      expect([stdout, stderr.endsWith(LOST)]).toStrictEqual(["exit 1\n", true]);
    },
  );

  it("is no failure without output: a directory is written, or there are no findings", () => {
    const quiet = 'anp render . --output-dir out | true; echo "exit ${PIPESTATUS[0]}"';
    expect(shell(quiet, one()).stdout).toBe("exit 0\n");
  });

  it("is not noticed if it is missing from the start: node opens /dev/null in its place, as users do", () => {
    expect(shell("anp render . >&-", one())).toStrictEqual({ exit: 0, stdout: "", stderr: "" });
    expect(shell("anp render . > /dev/null", one())).toStrictEqual({ exit: 0, stdout: "", stderr: "" });
  });

  it("does not turn a refusal into success when it reads the findings", () => {
    const folder = folderWith({ "all.yaml": BYPASSED });
    expect(shell('anp render . 2>&1 | true; echo "exit ${PIPESTATUS[0]}"', folder).stdout).toBe("exit 1\n");
    expect(shell("anp render . 2>&-", folder)).toStrictEqual({ exit: 1, stdout: "", stderr: "" });
  });

  it("is one when the device is full", () => {
    const { exit, stderr } = shell("anp render . > /dev/full", one());
    expect({ exit, stderr }).toStrictEqual({
      exit: 1,
      stderr: "anp: the standard output cannot be written: ENOSPC\n",
    });
  });
});

describe("colours", () => {
  it.each([
    ["none by default", {}, false],
    ["some on request", { FORCE_COLOR: "1" }, true],
  ])("between programs are %s", (_what, env, expected) => {
    const { stderr } = anp(["render", "-"], { input: BYPASSED, env });
    expect(stderr).toContain("policy-bypassed");
    expect(stderr).not.toContain("Warning");
    expect(stderr.includes("\u{1b}[")).toBe(expected);
  });

  /** `script` gives the program a terminal. */
  const onTerminal = (environment: string): string => {
    const folder = folderWith({ "all.yaml": BYPASSED });
    return shell(`${environment} script -qec '"${NODE}" "${BIN}" render .' /dev/null < /dev/null`, folder).stdout;
  };

  const noTerminal = shell("script --version", "/").stdout === "";
  if (noTerminal) console.log("skipped: tests on a terminal, because `script` (util-linux) is not installed");

  it.skipIf(noTerminal).each([
    ["TERM=xterm-256color", true],
    ["TERM=dumb", false],
    ["NO_COLOR=1 TERM=xterm", false],
  ])("on a terminal with %s: %s", (environment, expected) => {
    const shown = onTerminal(environment);
    expect(shown).toContain("policy-bypassed");
    expect(shown.includes("\u{1b}[")).toBe(expected);
  });

  it.skipIf(noTerminal)("shows the help on a terminal if no path is given", () => {
    const { stdout } = shell(`script -qec '"${NODE}" "${BIN}" render; echo exit $?' /dev/null`, "/");
    expect(stdout).toContain("Usage: anp render");
    expect(stdout).toContain("exit 2");
  });
});

/** The scripts in real shells: on a terminal with TAB, and called directly if the shell supports it. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ANP, pathWith } from "../../support/process/programs.ts";
import { anp, buildOnce } from "../../support/process/built.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { inputs } from "../../support/completion/inputs.ts";
import { isInstalled, openTerminal } from "../../support/completion/terminal.ts";

beforeAll(buildOnce);

const BASH_COMPLETION = "/usr/share/bash-completion/bash_completion";

/** How a shell starts without anybody's settings, and what its user has done once. */
const SHELLS = [
  { name: "bash", start: "bash --norc -i", setUp: "source <(anp completion bash)" },
  {
    name: "bash with bash-completion",
    start: "bash --norc -i",
    setUp: `source ${BASH_COMPLETION}; source <(anp completion bash)`,
  },
  {
    name: "zsh",
    start: "zsh -f -i",
    setUp: "autoload -Uz compinit; compinit -u -D; source <(anp completion zsh)",
  },
  {
    name: "zsh with a file in fpath",
    start: "zsh -f -i",
    setUp: "mkdir fp; anp completion zsh > fp/_anp; fpath=($PWD/fp $fpath); autoload -Uz compinit; compinit -u -D",
  },
  { name: "fish", start: "fish --no-config -i", setUp: "anp completion fish | source" },
];

const missing = new Set(["script", "bash", "zsh", "fish"].filter((program) => !isInstalled(program)));
for (const program of missing) console.log(`skipped: tests with ${program}, which is not installed`);
if (!existsSync(BASH_COMPLETION)) console.log("skipped: tests with bash-completion, which is not installed");

const canRun = ({ name, start }: (typeof SHELLS)[number]): boolean =>
  !missing.has("script") &&
  !missing.has(start.split(" ")[0]!) &&
  (!name.endsWith("bash-completion") || existsSync(BASH_COMPLETION));

/** Answers shells; otherwise shows what it was started with. */
const SHOW = `case "$1" in __complete | completion) ${ANP} ;; esac; printf 'RAN <%s>\\n' "$*"`;

describe.each(SHELLS.filter(canRun))("$name on a terminal", ({ start, setUp }) => {
  const open = async (folder = inputs()) => {
    const terminal = openTerminal(start, folder, { PATH: pathWith({ anp: SHOW }), PS1: "$ " });
    onTestFinished(terminal.close);
    await terminal.type(`${setUp}; echo READY''NOW\r`, /READYNOW/);
    return {
      /** The command line that came of the keys. zsh takes the slash behind a folder away at the end of a word. */
      run: async (keys: string) => {
        const shown = await terminal.type(`${keys}\r`, /[^]*RAN <.*>/);
        expect(shown).not.toMatch(/anp: |error|not found|no matches/i);
        const [, line = ""] = /RAN <(.*)>$/.exec(shown) ?? [];
        return line.replaceAll(/\/(?= |$)/g, "");
      },
      type: terminal.type,
    };
  };

  it("completes commands, options and values", async () => {
    const { run } = await open();
    expect(await run("anp expl\tclusters/a --outp\tjs\t")).toBe("explain clusters/a --output json");
    expect(await run("anp explain clusters/a --output=j\t")).toBe("explain clusters/a --output=json");
    expect(await run("anp check --outp\tsa\t.")).toBe("check --output sarif .");
    expect(await run("anp check --feature-gates AutoNode=t\t")).toBe("check --feature-gates AutoNode=true");
    expect(await run("anp cat\tbui\t--zon\t")).toBe("catalogue build --zones");
  });

  it("completes files and folders, also behind = and with spaces", async () => {
    const { run } = await open();
    expect(await run("anp render clu\t")).toBe("render clusters");
    expect(await run("anp render clusters/a/pol\t")).toBe("render clusters/a/policy.yaml");
    expect(await run("anp render --output-dir clusters/\ta\t")).toBe("render --output-dir clusters/a");
    expect(await run("anp check --report sarif=clu\t")).toBe("check --report sarif=clusters");
    expect(await run("anp explain my\t --output js\t")).toBe("explain my dir --output json");
    expect(await run("anp explain 'my dir' --output js\t")).toBe("explain my dir --output json");
  });

  it("goes on behind a format", async () => {
    const { run } = await open();
    expect(await run("anp check --report sar\t=x.sarif")).toBe("check --report sarif=x.sarif");
  });

  it("shows several", async () => {
    const { type } = await open();
    await type("anp explain clusters/a --output \t\t\t", /json[^]*html|html[^]*json/);
  });

  it("offers nothing if there is nothing to offer", async () => {
    const { run } = await open();
    expect(await run("anp explain clusters --nodepool \tx")).toBe("explain clusters --nodepool x");
    expect(await run("anp nothing of \tx")).toBe("nothing of x");
  });
});

describe("asked directly", () => {
  const lines = (program: string, args: readonly string[]): string[] => {
    const env = { ...process.env, PATH: pathWith() };
    const { stdout, stderr } = spawnSync(program, args, { cwd: inputs(), encoding: "utf8", env });
    expect(stderr).toBe("");
    return stdout.split("\n").filter((line) => line !== "");
  };

  it.skipIf(missing.has("bash"))("bash has the candidates in COMPREPLY", () => {
    const bash = (line: string, word: string): string[] => {
      const ask = `source <(anp completion bash); COMP_LINE=$1; COMP_POINT=\${#1}; _anp anp "$2" ""; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return lines("bash", ["--norc", "-c", ask, "bash", line, word]);
    };
    expect(bash("anp explain --ou", "--ou")).toStrictEqual(["--output"]);
    expect(bash("anp explain --output ", "")).toStrictEqual(["text", "wide", "json", "html"]);
    expect(bash("anp explain clusters --output=", "")).toStrictEqual(["text", "wide", "json", "html"]);
    expect(bash("anp explain clusters --nodepool=", "")).toStrictEqual([]);
    expect(bash("anp completion ", "")).toStrictEqual(["bash", "zsh", "fish"]);
  });

  it.skipIf(missing.has("fish"))("fish has them with what they do", () => {
    const fish = (line: string): string[] =>
      lines("fish", ["--no-config", "-c", `anp completion fish | source; complete -C "${line}"`]);
    expect(fish("anp explain --no")).toStrictEqual(["--nodepool\tthis pool only; repeatable"]);
    expect(fish("anp check --report sar")).toStrictEqual(["sarif", "sarif="]);
    expect(fish("anp check --report sarif=clu")).toStrictEqual(["sarif=clusters/"]);
    expect(fish("anp render --output-dir bro")).toStrictEqual(["broken/"]);
    expect(fish("anp explain clusters --nodepool ")).toStrictEqual([]);
  });
});

describe("anp completion", () => {
  it.each(["bash", "zsh", "fish"])("%s is a script that its shell reads without a word", (shell) => {
    const { exit, stdout, stderr } = anp(["completion", shell]);
    expect({ exit, stderr }).toStrictEqual({ exit: 0, stderr: "" });
    expect(stdout).toContain(`# ${shell} completion of anp`);
    if (missing.has(shell)) return;
    const file = join(folderWith({ script: stdout }), "script");
    const read = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    expect([read.status, read.stdout, read.stderr]).toStrictEqual([0, "", ""]);
  });

  it.each([[[]], [["powershell"]], [["bash", "zsh"]]])("with %j is wrong use", (args) => {
    const { exit, stdout, stderr } = anp(["completion", ...args]);
    expect({ exit, stdout }).toStrictEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain("error: ");
  });
});

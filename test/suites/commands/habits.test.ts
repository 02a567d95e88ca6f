/** Arguments that users of kubectl and other tools type, and how anp handles them. */
import { describe, expect, it } from "vitest";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";
import { runAnp, runMain } from "../../support/process/run-anp.ts";

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: api}
spec: {template: {spec: {containers: [{name: c, resources: {requests: {cpu: "1"}}}]}}}
`;
const FILES = { "policy.yaml": policy(), "pools.yaml": `${pool("web")}---\n${pool("batch")}`, "api.yaml": DEPLOYMENT };

interface Case {
  readonly files?: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly input?: string;
  readonly exit: number;
  /** Expected lines, in order. */
  readonly stdout?: readonly string[];
  readonly stderr?: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "kubectl's -f": { args: ["get", "onp", "-f", "pools.yaml"], exit: 0, stdout: ["batch", "web"] },
  "-f=FILE and --filename=FILE": {
    args: ["render", "-f=policy.yaml", "--filename=pools.yaml", "-o", "json"],
    exit: 0,
    stdout: ['        "name": "batch",', '        "name": "web",'],
  },
  "-f behind -- is a path": {
    args: ["check", "--", "-f"],
    exit: 3,
    stdout: ["-f: error: does not exist [file-unreadable]"],
  },
  "-f for a command without paths": { args: ["crds", "-f", "x"], exit: 2, stderr: ["error: unknown option '-f'"] },
  "the name of a pool beside a path": { args: ["explain", ".", "web"], exit: 0, stdout: ["1 pool, 1 ok"] },
  "the name of a pool alone, and nothing piped in": {
    args: ["explain", "web"],
    exit: 3,
    stderr: [
      "note: there is no file web: anp looks for the pool of that name in the standard input",
      "<stdin>: error: is empty [not-krm]",
      "  help: is a PATH missing? Without one the standard input is read",
    ],
  },
  "a name that no pool has": {
    args: ["explain", ".", "webb"],
    exit: 2,
    stderr: ["anp: the input has no OpenshiftNodePool webb: did you mean web?"],
  },
  "a file that does not exist": {
    args: ["explain", "web.yaml"],
    exit: 3,
    stderr: ["web.yaml: error: does not exist [file-unreadable]"],
  },
  "the name of an object": { args: ["get", "onp", "web", "."], exit: 0, stdout: ["web"] },
  "kind and name in one word": { args: ["get", "openshiftnodepool/web", "."], exit: 0, stdout: ["web"] },
  "np for NodePools": { args: ["get", "np", "."], exit: 0, stderr: ["No resources found"] },
  "nc for NodeClaims": { args: ["get", "nc,np", "."], exit: 0, stderr: ["No resources found"] },
  "pods among the paths": { args: ["explain", ".", "api.yaml"], exit: 0, stdout: ["1 pod: 1 taken"] },
  "workloads of a folder are not asked about": { args: ["explain", "."], exit: 0, stdout: ["2 pools, 2 ok"] },
  lint: { args: ["lint", "."], exit: 2, stderr: ["anp: there is no command lint: anp check does that"] },
  validate: { args: ["validate"], exit: 2, stderr: ["anp: there is no command validate: anp check does that"] },
  "an empty standard input": {
    args: ["render"],
    exit: 3,
    stderr: [
      "<stdin>: error: is empty [not-krm]",
      "  help: is a PATH missing? Without one the standard input is read",
      "1 error",
    ],
  },
  "two objects without --- between them": {
    files: { "two.yaml": pool("a") + pool("b") },
    args: ["render", "."],
    exit: 3,
    stderr: ["  help: put a line `---` before it if another object begins here; otherwise keep one of the two"],
  },
  "a key given twice within an object": {
    files: { "two.yaml": pool("a", "[{key: a, key: b}]") },
    args: ["render", "."],
    exit: 3,
    stderr: ["  help: keep one of the two"],
  },
  "a Helm template in the tree": {
    files: { "templates/a.yaml": "{{- if .Values.a }}\napiVersion: v1\n{{- end }}\n" },
    args: ["render", "."],
    exit: 3,
    stderr: [
      "  help: this is a template: give the output of helm template, or exclude it with a line in .krmignore, such as templates/",
    ],
  },
  "a volume's size without its unit": {
    files: {
      "policy.yaml": policy().replace("spec: {", "spec: {ec2NodeClassDefaults: {rootVolume: {volumeSize: 200}}, "),
    },
    args: ["render", "."],
    exit: 1,
    stderr: ["  help: write 200Gi"],
  },
  "help on a finding": {
    args: ["help", "policy-bypassed"],
    exit: 0,
    stdout: [
      "policy-bypassed: the pool would get nodes that the policy does not admit",
      "error, fixed",
      "    $ anp render in",
    ],
  },
  "help on a finding, in brackets": { args: ["help", "[link-outside]"], exit: 0, stdout: ["error, fixed, exit 3"] },
  "help on an unknown finding": {
    args: ["help", "policy-bypased"],
    exit: 2,
    stderr: ["anp: there is no command and no finding policy-bypased: did you mean policy-bypassed?"],
  },
  "help on a command": { args: ["help", "render"], exit: 0, stdout: ["Usage: anp render [options] [path...]"] },
};

describe("familiar arguments", () => {
  for (const [name, { files = FILES, args, input = "", exit, stdout = [], stderr = [] }] of Object.entries(CASES))
    it(name, async () => {
      const run = await runAnp(args, { cwd: folderWith(files), input });
      const lines = (text: string, among: readonly string[]) =>
        text.split("\n").flatMap((line) => among.find((one) => line === one || line.startsWith(`${one} `)) ?? []);
      expect({ exit: run.exit, stdout: lines(run.stdout, stdout), stderr: lines(run.stderr, stderr) }).toStrictEqual({
        exit,
        stdout,
        stderr,
      });
      if (args[0] === "explain" && args.length === 2 && exit === 0) expect(run.stdout).not.toContain("1 pod");
    });
});

it("a name at a terminal is looked for in the current folder", async () => {
  const run = await runMain(["get", "onp", "web"], folderWith(FILES), { stdinIsTerminal: true });
  expect(run).toStrictEqual({
    exit: 0,
    stdout: "NAME   NODECLASS   NODES   READY   REASON   AGE\nweb    default                              <unknown>\n",
    stderr: "note: there is no file web: anp looks for the OpenshiftNodePool of that name in .\n",
  });
});

it("shows examples in the help of each command, with valid options", async () => {
  const { stdout } = await runAnp(["--help"]);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) \[?/gm)].flatMap(([, name = ""]) =>
    name === "help" || name === "anp" ? [] : name,
  );
  expect(commands.length).toBeGreaterThan(15);
  const problems: string[] = [];
  for (const command of commands) {
    const help = (await runAnp([command, "--help"])).stdout;
    const [options = "", examples = ""] = help.split("\nExamples:\n");
    if (examples === "") problems.push(`anp ${command} has none`);
    for (const [line, word = ""] of examples.matchAll(new RegExp(`anp ${command} ([a-z]*)[^|&\\n]*`, "g"))) {
      const isCommand = options.split("\nCommands:\n")[1]?.includes(`  ${word} [`) === true;
      const valid = isCommand ? (await runAnp([command, word, "--help"])).stdout : options;
      for (const [flag] of line.matchAll(/--[a-z-]+/g))
        if (!new RegExp(`(?:^|\\s)${flag}\\b`).test(valid)) problems.push(`anp ${command} has no ${flag}`);
    }
  }
  expect(problems).toStrictEqual([]);
});

it("prints the dates of its data", async () => {
  const text = await runAnp(["version"]);
  const { stdout } = await runAnp(["version", "-o", "json"]);
  const { anp, node, platform, catalogue, prices } = JSON.parse(stdout) as {
    anp: string;
    node: string;
    platform: string;
    catalogue: { date: string; source: string; instanceTypes: number };
    prices: { date: string; source: string; regions: number };
  };
  expect(text.stdout).toBe(
    `anp        ${anp}
node       ${node} (${platform})
catalogue  ${catalogue.date}, ${catalogue.instanceTypes} instance types: ${catalogue.source}
prices     ${prices.date}, ${prices.regions} regions: ${prices.source}
`,
  );
  expect({ node, dates: [catalogue.date, prices.date].map((date) => /^20\d\d-\d\d/.test(date)) }).toStrictEqual({
    node: process.versions.node,
    dates: [true, true],
  });
});

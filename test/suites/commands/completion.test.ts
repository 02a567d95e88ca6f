/** What anp answers a shell at each place of a line: commands, options, values, names of the input, and never an error. */
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runAnp } from "../../support/process/run-anp.ts";
import { addFiles, folderWith } from "../../support/process/inputs.ts";
import { ask, askLine, values } from "../../support/completion/ask.ts";
import { inputs } from "../../support/completion/inputs.ts";

/** The names in the first column of the help of a command. */
const inHelp = async (args: readonly string[], name: RegExp): Promise<string[]> =>
  (await runAnp([...args, "--help"])).stdout
    .split("\nExamples:")[0]!
    .split("\n")
    .flatMap((line) => name.exec(line)?.[1] ?? []);

describe("commands", () => {
  it("are those of the help, with what they do", async () => {
    const folder = inputs();
    const listed = await inHelp([], /^ {2}([a-z]+) [ [<a-z]/);
    expect(listed).toContain("explain");
    expect(await values(folder, "")).toStrictEqual(listed);
    expect(await values(folder, "help", "")).toStrictEqual(listed);
    expect(await ask(folder, "catal")).toStrictEqual({
      lines: ["catalogue\tlist the instance types that anp knows, or build a catalogue of a region"],
      shell: ":none",
    });
  });

  it("do not show the one that shells ask", async () => {
    expect(await values(inputs(), "_")).toStrictEqual([]);
    expect((await runAnp(["--help"])).stdout).not.toContain("__complete");
  });

  it("have commands of their own", async () => {
    const folder = inputs();
    expect(await values(folder, "cmp", "")).toStrictEqual([...(await inHelp(["cmp"], /^ {2}([a-z]+) [ [<a-z]/))]);
    expect(await values(folder, "catalogue", "b")).toStrictEqual(["build"]);
    // catalogue does something without one.
    expect(await values(folder, "catalogue", "")).toStrictEqual([
      "build",
      "--where",
      "--output",
      "--catalogue",
      "--region",
      "--help",
    ]);
  });
});

describe("options", () => {
  it.each([
    [["render"]],
    [["check"]],
    [["explain"]],
    [["simulate"]],
    [["adopt"]],
    [["crds"]],
    [["cmp", "generate"]],
    [["catalogue", "build"]],
  ])("of %j are those of its help", async (command) => {
    const listed = await inHelp(command, /^ {2}(?:-\w, )?(--[a-z-]+)/);
    expect(listed.length).toBeGreaterThan(1);
    expect(await values(inputs(), ...command, "--")).toStrictEqual(listed);
  });

  it("are none that do nothing any more", async () => {
    const offered = await values(inputs(), "simulate", "--");
    expect(offered).toContain("--require-policy");
    expect(["--rules", "--feature-gates"].filter((option) => offered.includes(option))).toStrictEqual([]);
    const ofWebhook = await values(inputs(), "webhook", "--");
    expect(ofWebhook).toContain("--cert");
    expect(["--self-signed", "--dns-name"].filter((option) => ofWebhook.includes(option))).toStrictEqual([]);
  });

  it("are offered once, unless they may be repeated", async () => {
    const folder = inputs();
    expect(await values(folder, "explain", "--types", "--t")).toStrictEqual([]);
    expect(await values(folder, "explain", "-o", "json", "--ou")).toStrictEqual([]);
    expect(await values(folder, "explain", "--pods", "a.yaml", "--pod")).toStrictEqual(["--pods"]);
    expect(await values(folder, "catalogue", "build", "--zones", "a.json", "--zo")).toStrictEqual(["--zones"]);
  });

  it("may be short", async () => {
    expect(await values(inputs(), "explain", "-o")).toStrictEqual(["-o"]);
  });

  it("are none behind --", async () => {
    expect(await ask(inputs(), "explain", "--", "--")).toStrictEqual({ lines: [], shell: ":files" });
  });
});

describe("values", () => {
  it.each<[readonly string[], readonly string[], string]>([
    [["explain", "-o", ""], ["text", "wide", "json", "html"], ":none"],
    [["explain", "--output", "j"], ["json"], ":none"],
    [["explain", "--output=j"], ["--output=json"], ":none"],
    [["explain", "-oj"], ["-ojson"], ":none"],
    [["check", "--fail-on", ""], ["error", "warning", "info", "never"], ":none"],
    [["check", "--profile", "h"], ["hypershift"], ":none"],
    [["check", "--rules", ""], ["rosa"], ":none"],
    [["check", "--color", "a"], ["auto", "always"], ":none"],
    [["check", "--feature-gates", "A"], ["AutoNode=true", "AutoNode=false"], ":none"],
    [["check", "--report", "j"], ["json", "junit"], ":none nospace"],
    [["check", "--report", "json="], [], ":files"],
    [["check", "--report=sarif=x"], [], ":files"],
    [["completion", ""], ["bash", "zsh", "fish"], ":none"],
    [
      ["get", ""],
      ["nodepools", "nodeclaims", "ec2nodeclasses", "openshiftnodepools", "openshiftec2nodeclasses"],
      ":none",
    ],
    [["get", "nodepools,node"], ["nodepools,nodeclaims"], ":none"],
    [["get", "nodepools", ""], [], ":files"],
    [["webhook", "--cert", ""], [], ":files"],
    [["render", "--output-dir", ""], [], ":folders"],
    [["render", "--policy-dir", ""], [], ":files"],
    [["check", "--baseline", ""], [], ":files"],
    [["explain", "--pods", "-"], [], ":files"],
    [["render", ""], [], ":files"],
    [["render", "a", "b"], [], ":files"],
    [["catalogue", "build", "--date", ""], [], ":none"],
    [["catalogue", "build", "--zones", "a.json", ""], [], ":files"],
    [["crds", "what", ""], [], ":none"],
    [["nothing", "of", "ours", ""], [], ":none"],
  ])("%j", async (words, lines, shell) => {
    expect(await ask(inputs(), ...words)).toStrictEqual({ lines, shell });
  });

  it("of --where are the keys of the catalogue, then their values", async () => {
    const folder = inputs();
    expect(await ask(folder, "catalogue", "--where", "kubernetes.io/")).toStrictEqual({
      lines: ["kubernetes.io/arch", "kubernetes.io/os"],
      shell: ":none nospace",
    });
    expect(await values(folder, "catalogue", "--where", "p")).toStrictEqual(["price"]);
    expect(await values(folder, "catalogue", "--region", "us-g")).toStrictEqual(["us-gov-east-1", "us-gov-west-1"]);
    const arch = { lines: ["kubernetes.io/arch=amd64", "kubernetes.io/arch=arm64"], shell: ":none" };
    expect(await ask(folder, "catalogue", "--where", "kubernetes.io/arch=")).toStrictEqual(arch);
    expect(await values(folder, "catalogue", "--where", "kubernetes.io/arch!=ar")).toStrictEqual([
      "kubernetes.io/arch!=arm64",
    ]);
    expect(await values(folder, "catalogue", "--where", "node.kubernetes.io/instance-type=m5.x")).toStrictEqual([
      "node.kubernetes.io/instance-type=m5.xlarge",
    ]);
    expect(
      (await values(folder, "catalogue", "--where", "karpenter.k8s.aws/instance-cpu=1")).slice(0, 3),
    ).toStrictEqual(["1", "12", "16"].map((cpu) => `karpenter.k8s.aws/instance-cpu=${cpu}`));
    expect(await values(folder, "catalogue", "--catalogue", "missing.json", "--where", "k")).toStrictEqual([]);
  });
});

describe("names of the input", () => {
  it.each<[readonly string[], readonly string[]]>([
    [
      ["explain", "clusters/a", "--nodepool", ""],
      ["batch\tclusters-a", "web\tclusters-a"],
    ],
    [["explain", "clusters", "--nodepool", "w"], ["web\tclusters-a, clusters-b"]],
    [["explain", "clusters", "--hosted-cluster", "clusters-b", "--nodepool", ""], ["web\tclusters-b"]],
    [["explain", "clusters/a/pools.yaml", "--policy-dir", "clusters/b", "--nodepool", "b"], ["batch\tclusters-b"]],
    [["explain", "clusters/a", "--nodepool=b"], ["--nodepool=batch\tclusters-a"]],
    [["explain", "my dir", "--nodepool", ""], ["spaced\tclusters-c"]],
    [["explain", "-", "clusters/a", "--nodepool", "b"], ["batch\tclusters-a"]],
    [
      ["render", "clusters", "--hosted-cluster", ""],
      ["clusters-a", "clusters-b"],
    ],
    [["explain", "missing", "--nodepool", ""], []],
    [["explain", "broken", "--nodepool", ""], ["intact\tclusters-d"]],
  ])("%j", async (words, lines) => {
    expect(await ask(inputs(), ...words)).toStrictEqual({ lines, shell: ":none" });
  });

  it("are those of the current folder when no path is typed", async () => {
    const folder = join(inputs(), "clusters/a");
    expect(await values(folder, "explain", "--nodepool", "")).toStrictEqual(["batch", "web"]);
    expect(await values(folder, "check", "--hosted-cluster", "")).toStrictEqual(["clusters-a"]);
  });

  it("are found at home", async () => {
    const home = inputs();
    const words = ["__complete", "--", "explain", "~/clusters/b", "--nodepool", ""];
    expect((await runAnp(words, { cwd: "/", env: { HOME: home } })).stdout).toBe("web\tclusters-b\n:none\n");
  });

  it("are not offered when a shell would take them for more than a word", async () => {
    expect(await ask(inputs(), "explain", "evil", "--nodepool", "")).toStrictEqual({ lines: [], shell: ":none" });
  });

  it("are not looked for where that takes long", async () => {
    const many = Array.from({ length: 501 }, (_, index) => [`f${index}/x.txt`, ""]);
    const folder = folderWith(Object.fromEntries(many) as Record<string, string>);
    addFiles(folder, { "f0/all.yaml": "" });
    addFiles(join(folder, "f1"), {
      "p.yaml":
        "apiVersion: karpenter.hypershift.openshift.io/v1beta1\nkind: OpenshiftNodePool\nmetadata: {name: web}\n",
    });
    expect(await values(folder, "explain", "--nodepool", "")).toStrictEqual([]);
    expect(await values(folder, "explain", "f1", "--nodepool", "")).toStrictEqual(["web"]);
  });
});

describe("bash, which cuts words", () => {
  it.each<[string, string, readonly string[]]>([
    ["anp explain clusters/a --nodepool=b", "b", ["batch"]],
    ["anp explain clusters/a --nodepool=", "", ["batch", "web"]],
    ["anp explain clusters/a --nodepool b", "b", ["batch"]],
    ["anp explain 'my dir' --nodepool ", "", ["spaced"]],
    [String.raw`anp explain my\ dir --nodepool "sp`, "sp", ["spaced"]],
    ["anp catalogue --where kubernetes.io/arch=a", "a", ["amd64", "arm64"]],
    ["anp expl", "expl", ["explain"]],
  ])("%s", async (line, replaced, lines) => {
    expect((await askLine(inputs(), line, replaced)).lines).toStrictEqual(lines);
  });
});

it("answers whatever is typed, and never in words of an error", async () => {
  const folder = inputs();
  const word = fc.oneof(
    fc.constantFrom(
      "explain",
      "check",
      "catalogue",
      "build",
      "--nodepool",
      "--where",
      "--report",
      "-o",
      "--",
      "-",
      "--nodepool=",
      "clusters/a",
    ),
    fc.string({ unit: "binary", maxLength: 6 }).filter((text) => !text.includes("\0")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (words) => {
      const typed = words.at(-1) ?? "";
      const { lines } = await ask(folder, ...words);
      for (const line of lines) expect(line.startsWith(typed) || typed === "-").toBe(true);
    }),
    { numRuns: 60 },
  );
});

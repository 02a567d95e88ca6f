/** What anp answers a shell at each place of a line: commands, options, values, and never an error. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runAnp } from "../../support/process/run-anp.ts";
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
      "--profile",
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
    [["check", "--rules", ""], ["rosa", "production"], ":none"],
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
    // Names of manifests and of the catalogue are no closed sets.
    [["explain", "clusters/a", "--nodepool", ""], [], ":none"],
    [["render", "clusters", "--hosted-cluster", ""], [], ":none"],
    [["catalogue", "--where", ""], [], ":none"],
    [["catalogue", "--region", ""], [], ":none"],
    [["diff", "--against", ""], [], ":folders"],
    [["catalogue", "build", "--date", ""], [], ":none"],
    [["catalogue", "build", "--zones", "a.json", ""], [], ":files"],
    [["crds", "what", ""], [], ":none"],
    [["nothing", "of", "ours", ""], [], ":none"],
  ])("%j", async (words, lines, shell) => {
    expect(await ask(inputs(), ...words)).toStrictEqual({ lines, shell });
  });
});

describe("bash, which cuts words", () => {
  it.each<[string, string, readonly string[]]>([
    ["anp explain clusters/a --output=j", "j", ["json"]],
    ["anp explain clusters/a --output=", "", ["text", "wide", "json", "html"]],
    ["anp explain clusters/a --output j", "j", ["json"]],
    ["anp explain 'my dir' --output ", "", ["text", "wide", "json", "html"]],
    [String.raw`anp explain my\ dir --output "js`, "js", ["json"]],
    ["anp check --feature-gates AutoNode=t", "t", ["true"]],
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

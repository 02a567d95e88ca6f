/** Every answer in JSON matches its published schema, without unknown fields. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { OUTPUT_OF, type OutputName, outputOf, OUTPUTS, outputSchemas } from "../../../scripts/output-schemas.ts";
import { blocksOf, pages, readPage } from "../../support/docs/page.ts";
import { goldenCases, run } from "../../support/golden/case.ts";
import { judgeAnswer, problemsOfAnswer } from "../../support/golden/judge-answer.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const ajv = addFormats.default(new Ajv2020({ strict: false }));
const published = new Map<OutputName, ValidateFunction>(
  Object.entries(outputSchemas()).map(([file, schema]) => [
    file.replace(/^answers\/|\.schema\.json$/g, "") as OutputName,
    ajv.compile(schema),
  ]),
);

/** Answers of this file's runs, by command. */
const seen = new Map<OutputName, { readonly args: readonly string[]; readonly answer: unknown }[]>();

function judge(args: readonly string[], stdout: string): void {
  judgeAnswer(args, stdout);
  const name = outputOf(args)!;
  const answer = JSON.parse(stdout) as unknown;
  const validate = published.get(name)!;
  expect(validate(answer) ? [] : validate.errors, args.join(" ")).toStrictEqual([]);
  seen.set(name, [...(seen.get(name) ?? []), { args, answer }]);
}

/** Their other forms are not checked; those of render are many, and all are a list of objects. */
const ASKED: readonly string[] = ["adopt", "check", "diff", "doctor", "explain", "get", "guard", "plan", "rollout", "simulate", "upgrade", "why"];
const cases = goldenCases().filter(({ args }) => ASKED.includes(args[0]!));

describe("golden cases", () => {
  it("are enough", () => expect(cases.length).toBeGreaterThan(100));

  it.each(cases.map((golden) => [golden.name, golden] as const))("%s", async (_name, { folder, args }) => {
    const flags = args.filter((arg, index) => arg !== "-o" && args[index - 1] !== "-o");
    const asked = [...flags, "-o", "json"];
    const { stdout } = await run(folder, asked);
    if (stdout !== "") judge(asked, stdout);
  });
});

/** The text below `$ anp … -o json`, if no line is left out. */
const shown = pages().flatMap((page) =>
  blocksOf(readPage(page)).flatMap(({ lines, line }) => {
    const text = lines.join("\n");
    return [...text.matchAll(/^\$ anp ([^\n|]*-o json[^\n|]*)\n(\{\n[^$]*?^\})$/gm)].flatMap(
      ([, args = "", answer = ""]) =>
        answer.includes("…") ? [] : [[`${page}:${line}`, args.split(" "), answer] as const],
    );
  }),
);

describe("documentation", () => {
  it("shows some", () => expect(shown.length).toBeGreaterThan(1));

  it.each(shown)("%s", (_place, args, answer) => {
    // A long line of the page goes on in the next.
    judge(args, answer.replaceAll(/\n +(?=[a-z\d])/g, " "));
  });
});

it("shorter answers", async () => {
  const cwd = folderWith({});
  for (const args of [
    ["version", "-o", "json"],
    ["catalogue", "--where", "karpenter.k8s.aws/instance-family=m7g", "-o", "json"],
    ["crds", "-o", "json"],
    ["simulate", "--local-window", "mon-fri 08:00-18:00", "--tz", "Europe/Berlin", "-o", "json"],
    ["simulate", "--allow-window", "mon 01:00-05:00", "-o", "json"],
    ["cmp", "parameters"],
  ])
    judge(args, (await runAnp(args, { cwd })).stdout);
});

/** They need clusters: their suites with servers hold them against their schemas. */
const OF_CLUSTERS: readonly OutputName[] = ["touch"];

it("are all checked", () => {
  const all = Object.keys(OUTPUTS).filter((name) => !OF_CLUSTERS.includes(name as OutputName));
  expect([...seen.keys()].toSorted()).toStrictEqual(all.toSorted());
});

it("are of every command that answers in JSON", async () => {
  const offering: string[] = [];
  const help = async (...command: string[]): Promise<string> => {
    const { stdout } = await runAnp([...command, "--help"]);
    const whole = stdout.replaceAll(/\n {10,}/g, " ");
    if (/--output <format> .*\(choices: [^)]*"json"/.test(whole)) offering.push(command.join(" "));
    return whole.split("\nCommands:\n")[1] ?? "";
  };
  const below = (list: string): string[] =>
    [...list.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name = ""]) => (["help", "anp"].includes(name) ? [] : name));
  const commands = below(await help());
  expect(commands.length).toBeGreaterThan(15);
  for (const command of commands) for (const name of below(await help(command))) await help(command, name);
  const known = new Set(OUTPUT_OF.map(([command]) => command.filter((word) => !word.startsWith("-")).join(" ")));
  known.delete("cmp parameters");
  expect(offering.toSorted()).toStrictEqual([...known].toSorted());
  expect(() => outputOf(["migrate", "-o", "json"])).toThrow("anp migrate answers in JSON: give it a schema");
});

/** Parts that are the same for every input. */
const OPEN = new Set(["requests", "allocatable", "annotations", "here", "rendered", "from", "to", "items", "wrapper"]);

describe("unknown fields", () => {
  const names = Object.keys(OUTPUTS).filter((name) => !OF_CLUSTERS.includes(name as OutputName)) as OutputName[];

  it.each(names)("%s: is refused wherever it is, and accepted by a program", (name) => {
    const [richest] = seen.get(name)!.toSorted((a, b) => sizeOf(b.answer) - sizeOf(a.answer));
    const { args, answer } = richest!;
    let places = 0;
    const walk = (part: unknown, key: string): void => {
      if (typeof part !== "object" || part === null || OPEN.has(key)) return;
      if (Array.isArray(part)) return part.slice(0, 2).forEach((item) => walk(item, key));
      const object = part as Record<string, unknown>;
      object["later"] = true;
      expect(problemsOfAnswer(args, JSON.stringify(answer)), key).not.toStrictEqual([]);
      expect(published.get(name)!(answer), key).toBe(true);
      delete object["later"];
      places += 1;
      for (const [field, inner] of Object.entries(object)) walk(inner, field);
    };
    walk(answer, "");
    expect(places).toBeGreaterThan(0);
    expect(problemsOfAnswer(args, "{}")).not.toStrictEqual([]);
  });
});

function sizeOf(answer: unknown): number {
  return JSON.stringify(answer).length;
}

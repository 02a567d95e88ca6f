/** Tests that the library's plan equals the command's output, and refuses invalid arguments. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { goldenCases, type GoldenCase, run } from "../../test/support/golden/case.ts";
import { type InputFile, plan, type PlanOptions } from "./library.ts";

const AT = "2026-11-23T09:00:00Z";

const FLAGS: Readonly<Record<string, "nodeData" | "catalogue">> = {
  "--node-data": "nodeData",
  "--catalogue": "catalogue",
};

/** The options of a case; undefined if it needs features that the library lacks. */
function optionsOf({ args, folder }: GoldenCase): PlanOptions | undefined {
  const [command, paths, ...flags] = args;
  if (command !== "plan" || paths !== "in") return undefined;
  const options: Record<string, unknown> = { pods: [] };
  while (flags.length > 0) {
    const [flag = "", value = ""] = flags.splice(0, 2);
    if (flag === "--pods") options["pods"] = [textOf(folder, value)];
    else if (FLAGS[flag] !== undefined) options[FLAGS[flag]] = textOf(folder, value).text;
    else if (flag !== "-o") return undefined;
  }
  return { ...options, ...("nodeData" in options ? { at: AT } : {}) } as unknown as PlanOptions;
}

function textOf(folder: string, path: string): InputFile {
  return { path, text: readFileSync(join(folder, path), "utf8") };
}

const cases = goldenCases().flatMap((golden): [string, GoldenCase, PlanOptions][] => {
  const options = optionsOf(golden);
  return options === undefined ? [] : [[golden.name, golden, options]];
});

describe("plan", () => {
  it("is compared on golden cases", () => expect(cases.length).toBeGreaterThan(7));

  it.each(cases)("as the command: %s", async (_name, { folder, args, exit }, options) => {
    const files = readdirSync(join(folder, "in")).map((name) => textOf(folder, `in/${name}`));
    const given = args.flatMap((arg, index) => (arg === "-o" || args[index - 1] === "-o" ? [] : [arg]));
    const command = await run(folder, [...given, "-o", "json", "--report", "json"]);
    if (exit === 2) {
      expect(() => plan(files, options)).toThrow(
        "neither the catalogue nor pool general says which zones there are: name the catalogue of a region with catalogue (anp catalogue build)",
      );
      return;
    }
    const answer = plan(files, options);
    expect(answer.findings).toStrictEqual((JSON.parse(command.stderr) as { findings: unknown }).findings);
    if (command.stdout === "") expect(answer.plan).toBeUndefined();
    else expect(JSON.parse(JSON.stringify(answer.plan))).toStrictEqual(JSON.parse(command.stdout));
  });

  it.each<[string, object, string]>([
    ["no pods", {}, "the files must be a list of { path, text }"],
    ["a dump without a time", { pods: [], nodeData: "" }, "the option nodeData needs at"],
    ["no time", { pods: [], at: "tomorrow" }, "the option at must be a moment"],
    ["no dump", { pods: [], at: AT, nodeData: "a: [" }, "the option nodeData: "],
    [
      "another dump",
      { pods: [], at: AT, nodeData: SECRET },
      "the option nodeData contains neither NodeClaims nor Nodes",
    ],
    ["no catalogue", { pods: [], catalogue: "{}" }, "the option catalogue: "],
    ["a misspelt option", { pods: [], catalog: "" }, "did you mean catalogue?"],
  ])("refuses %s", (_what, options, message) => {
    expect(() => plan([], options as PlanOptions)).toThrow(message);
  });
});

const SECRET = "{apiVersion: v1, kind: Secret, metadata: {name: a}}";

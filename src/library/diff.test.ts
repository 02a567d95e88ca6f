/** Tests that the library's diff equals the command's output, and refuses invalid arguments. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { goldenCases, type GoldenCase, run } from "../../test/support/golden/case.ts";
import { diff, type DiffOptions, type InputFile } from "./library.ts";

const AT = "2026-11-23T09:00:00Z";

/** The options of a case; undefined if it needs features that the library lacks. */
function optionsOf({ args, folder }: GoldenCase): DiffOptions | undefined {
  const [command, paths, against, old, ...flags] = args;
  if (command !== "diff" || paths !== "in" || against !== "--against" || old !== "old") return undefined;
  const options: Record<string, string> = { at: AT };
  while (flags.length > 0) {
    const [flag, value = ""] = flags.splice(0, 2);
    if (flag === "--node-data") options["nodeData"] = readFileSync(join(folder, value), "utf8");
    else if (flag !== "-o" && flag !== "--at") return undefined;
  }
  return options as unknown as DiffOptions;
}

const filesIn = (folder: string, name: string): InputFile[] =>
  readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".yaml"))
    .toSorted()
    .map((path) => ({ path: `${name}/${path}`, text: readFileSync(join(folder, name, path), "utf8") }));

const cases = goldenCases().flatMap((golden): [string, GoldenCase, DiffOptions][] => {
  // The library takes manifests, and no files of Terraform.
  const isCompared = existsSync(join(golden.folder, "old")) && !golden.name.startsWith("terraform/");
  const options = isCompared ? optionsOf(golden) : undefined;
  return options === undefined ? [] : [[golden.name, golden, options]];
});

describe("diff", () => {
  it("is compared on golden cases", () => expect(cases.length).toBeGreaterThan(15));

  it.each(cases)("as the command: %s", async (_name, { folder, args }, options) => {
    const flags = args.flatMap((arg, index) => (arg === "-o" || args[index - 1] === "-o" ? [] : [arg]));
    const at = flags.includes("--at") ? [] : ["--at", AT];
    const command = await run(folder, [...flags, ...at, "-o", "json"]);
    const { findings, ...answer } = diff(filesIn(folder, "old"), filesIn(folder, "in"), options);
    if (command.exit === 3 && command.stdout === "") expect(answer.changes).toStrictEqual([]);
    // The library passes over no file: each is named.
    else if (command.stdout.includes('"incomplete"')) expect(findings.map(({ code }) => code)).toContain("yaml-syntax");
    else expect(JSON.parse(JSON.stringify(answer))).toStrictEqual(JSON.parse(command.stdout));
  });

  it("accepts an empty old side, but not an empty new side", () => {
    const { changes, summary } = diff([], [POOL], { at: AT });
    expect(changes.map(({ action }) => action)).toContain("added");
    expect(summary).toMatchObject({ pools: 1, types: null, nodes: null, cost: null });
    expect(() => diff([POOL], [], { at: AT })).toThrow("the new side is empty");
  });

  it("ignores fields, and has no changes if a side is invalid", () => {
    const weight = { ...POOL, text: `${POOL.text}  weight: 3\n` };
    expect(diff([POOL], [weight], { at: AT }).changes).toMatchObject([{ effect: "behavioural" }]);
    expect(diff([POOL], [weight], { at: AT, ignore: ["spec.weight"] }).changes).toStrictEqual([]);
    const broken = diff([POOL], [{ ...POOL, text: "a: [" }], { at: AT });
    expect(broken.changes).toStrictEqual([]);
    expect(broken.findings).toMatchObject([{ severity: "error" }]);
  });

  it.each<[string, object, string]>([
    ["no moment", {}, "the option at must be a moment, such as 2026-11-23T09:00:00Z"],
    ["no time", { at: "tomorrow" }, "the option at must be a moment"],
    ["no duration", { at: AT, nodeTime: "0s" }, "the option nodeTime must be a duration, such as 5m"],
    ["an invalid field", { at: AT, ignore: ["..."] }, "the option ignore: ... is not a field"],
    ["no list of fields", { at: AT, ignore: "spec.weight" }, "the option ignore must be a list of strings"],
    [
      "no nodes",
      { at: AT, nodeData: "{apiVersion: v1, kind: Secret, metadata: {name: a}}" },
      "contains neither NodeClaims",
    ],
    ["no dump", { at: AT, nodeData: "a: [" }, "the option nodeData: "],
    ["a misspelt option", { at: AT, nodedata: "" }, "did you mean nodeData?"],
  ])("refuses %s", (_what, options, message) => {
    expect(() => diff([POOL], [POOL], options as DiffOptions)).toThrow(message);
  });
});

const POOL: InputFile = {
  path: "pool.yaml",
  text: `
apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: OpenshiftNodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
`,
};

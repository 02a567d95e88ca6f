/** Tests what a function catalogue reads of integrations/kpt: metadata.yaml and the marked parts of README.md. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { run } from "../../support/golden/case.ts";
import { ROOT } from "../../support/process/built.ts";
import { PACKAGE } from "../../support/process/packages.ts";
import { listOf } from "../../support/process/resource-lists.ts";

const FOLDER = join(ROOT, "integrations/kpt");
const readme = readFileSync(join(FOLDER, "README.md"), "utf8");

it("describes the function", () => {
  const metadata = parse(readFileSync(join(FOLDER, "metadata.yaml"), "utf8")) as Readonly<Record<string, unknown>>;
  expect(metadata).toStrictEqual({
    image: "anp",
    description: expect.any(String) as string,
    tags: ["mutator", "validator"],
    sourceURL: "../..",
    examplePackageURLs: ["example"],
    license: "Apache-2.0",
  });
  expect(["../..", "example"].map((path) => existsSync(join(FOLDER, path)))).toStrictEqual([true, true]);
});

describe("README.md", () => {
  it("has the sections of the catalogue, each between its marks", () => {
    expect([...readme.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title)).toStrictEqual([
      "anp",
      "Overview",
      "Usage",
      "FunctionConfig",
      "Examples",
    ]);
    const marks = [...readme.matchAll(/^<!--mdtogo(.*?)-->$/gm)].map(([, mark]) => mark);
    expect(marks).toStrictEqual([":Short", "", ":Long", "", ":Examples", ""]);
  });

  it("shows a valid functionConfig with all its keys, except the one that replaces the others", async () => {
    const [, text = ""] = /```yaml\n(apiVersion: v1\n[^`]*)```/.exec(readme) ?? [];
    const functionConfig = parse(text) as { data: Readonly<Record<string, string>> };
    const [, table = ""] =
      /\| key \| meaning \|\n([^]*?)\n\n/.exec(readFileSync(join(ROOT, "docs/kpt.md"), "utf8")) ?? [];
    const known = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
    expect(Object.keys(functionConfig.data)).toStrictEqual(known.filter((key) => key !== "guard"));
    expect(readme).toContain("`guard`");
    const input = listOf(PACKAGE) + stringify({ functionConfig });
    const { exit, stdout } = await run(ROOT, ["fn"], input);
    expect({ exit, same: stdout === input }).toStrictEqual({ exit: 0, same: true });
    const typo = input.replace("onBypass", "onBypas");
    expect((await run(ROOT, ["fn"], typo)).stderr).toContain("did you mean onBypass?");
  });
});

/** An anp that is started with a node that is too old says what to do. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { BIN, buildOnce, NODE, ROOT } from "../../support/process/built.ts";
import { folderWith } from "../../support/process/inputs.ts";

beforeAll(buildOnce);

const OLD = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });`;

function startOld(bin: string) {
  const hook = join(folderWith({ "hook.cjs": OLD }), "hook.cjs");
  const { status, stdout, stderr } = spawnSync(NODE, ["-r", hook, bin, "--version"], { encoding: "utf8" });
  return { status, stdout, lines: stderr.trimEnd().split("\n") };
}

const REFUSAL = "anp: node 20.20.2 is too old, anp needs 22.19 or newer";

it("names the ways to another node in a clone, also behind the link of npm install -g", () => {
  const link = join(folderWith({}), "anp");
  symlinkSync(BIN, link);
  for (const bin of [BIN, link])
    expect(startOld(bin)).toStrictEqual({
      status: 2,
      stdout: "",
      lines: [REFUSAL, expect.stringMatching(/npm run binary/)],
    });
});

it("names none of them in a package", () => {
  const bin = join(folderWith({}), "package/bin/anp.js");
  mkdirSync(dirname(bin), { recursive: true });
  cpSync(join(ROOT, "bin/anp.js"), bin);
  expect(startOld(bin)).toStrictEqual({ status: 2, stdout: "", lines: [REFUSAL] });
});

/** The findings about a directory, which golden cases cannot show: each leaves what stands there as it is. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../../support/golden/case.ts";
import { REPOSITORY } from "../../support/docs/page.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "anp-output-"));
  cpSync(join(REPOSITORY, "fixtures/quickstart"), join(folder, "in"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Every file below the folder with its text. */
function files(): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    found.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );
}

async function refuses(args: readonly string[], code: string): Promise<void> {
  const before = files();
  const result = await run(folder, ["render", ...args, "--output-dir", "out"]);
  expect(result).toMatchObject({ exit: 1, stdout: "" });
  expect(result.stderr).toContain(`[${code}]`);
  expect(files()).toStrictEqual(before);
}

describe("--output-dir", () => {
  it("does not write beside files that anp did not make", async () => {
    mkdirSync(join(folder, "out"));
    writeFileSync(join(folder, "out/notes.txt"), "notes\n");
    await refuses(["in"], "output-foreign");
  });

  it("removes nothing when no wrapper was read", async () => {
    expect((await run(folder, ["render", "in", "--output-dir", "out"])).exit).toBe(0);
    await refuses(["in/provider"], "output-kept");
    await refuses(["in", "--feature-gates", "AutoNode=false"], "output-kept");
  });

  it("says when the place is taken by a file", async () => {
    writeFileSync(join(folder, "out"), "a file\n");
    await refuses(["in"], "output-unwritable");
  });
});

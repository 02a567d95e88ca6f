/** Tests the Kptfile of the repository: `kpt fn render` renders the example and changes nothing else. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildOnce, ROOT } from "../../support/process/built.ts";
import { folderWith, textsIn } from "../../support/process/inputs.ts";
import { kpt, kptMissing } from "../../support/kpt/kpt.ts";

beforeAll(buildOnce);

const RENDER = ["fn", "render", "--allow-exec"];
const EXAMPLE = "integrations/kpt/example";

/** Large folders without package content. */
const LINKED = ["node_modules", "dist", "build", "data"];

/** The repository as cloned and built. */
function clone(): string {
  const folder = folderWith({});
  for (const name of readdirSync(ROOT)) {
    if (LINKED.includes(name)) symlinkSync(join(ROOT, name), join(folder, name));
    else if (name !== ".git") execFileSync("cp", ["-R", join(ROOT, name), folder]);
  }
  return folder;
}

type Texts = Readonly<Record<string, string>>;

/** The paths that differ; the texts are too long to print. */
function changed(before: Texts, after: Texts): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => after[path] !== before[path]).toSorted();
}

describe.skipIf(kptMissing() !== undefined)("kpt at the top of the repository", () => {
  it("finds everything rendered", () => {
    const folder = clone();
    const before = textsIn(folder);
    const ended = kpt(RENDER, folder);
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    expect(ended.stderr).not.toContain("Results:");
    expect(changed(before, textsIn(folder))).toStrictEqual([]);
  });

  it("renders only the example again", () => {
    const folder = clone();
    const before = textsIn(folder);
    rmSync(join(folder, EXAMPLE, "rendered"), { recursive: true });
    expect(kpt(RENDER, folder)).toMatchObject({ exit: 0 });
    expect(changed(before, textsIn(folder))).toStrictEqual([]);
    const policy = join(folder, EXAMPLE, "provider/policy.yaml");
    writeFileSync(policy, readFileSync(policy, "utf8").replace("m5.2xlarge, ", ""));
    expect(kpt(RENDER, folder)).toMatchObject({ exit: 0 });
    expect(changed(before, textsIn(folder))).toStrictEqual([
      `${EXAMPLE}/provider/policy.yaml`,
      `${EXAMPLE}/rendered/nodepool-batch.yaml`,
      `${EXAMPLE}/rendered/nodepool-web.yaml`,
    ]);
  });

  it("passes only the example to the function", () => {
    const { exit, stdout } = kpt(["fn", "source", "."], clone());
    expect(exit).toBe(0);
    const paths = [...stdout.matchAll(/ internal\.config\.kubernetes\.io\/path: '(.*)'/g)].map(([, path]) => path!);
    expect(paths.filter((path) => !path.startsWith(`${EXAMPLE}/`))).toStrictEqual(["Kptfile"]);
    expect(paths).toContain(`${EXAMPLE}/users/pools.yaml`);
  });
});

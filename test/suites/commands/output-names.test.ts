/** `--output-dir` with names of Kubernetes objects that are too long for a file system. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";

describe("names of Kubernetes that are longer than those of files", () => {
  const long = (last: string) =>
    `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(8)}${last}`;

  it("are cut, made unique by a hash, and found again", async () => {
    const names = [long("0"), long("1")];
    expect(names[0]).toHaveLength(253);
    const folder = folderWith({
      "in/policy.yaml": policy(),
      ...Object.fromEntries(names.map((name, at) => [`in/${at}.yaml`, pool(name)])),
    });
    const render = () => runAnp(["render", "in", "--output-dir", "out"], { cwd: folder });
    expect(await render()).toMatchObject({ exit: 0, stderr: expect.stringContaining("10 written") as string });
    const files = readdirSync(join(folder, "out"));
    expect(files.filter((name) => name.startsWith("nodepool-aaa"))).toStrictEqual([
      expect.stringMatching(/^nodepool-a{60}\.b{60}\.c{60}\.d{25}-[0-9a-f]{32}\.yaml$/),
      expect.stringMatching(/^nodepool-a{60}\.b{60}\.c{60}\.d{25}-[0-9a-f]{32}\.yaml$/),
    ]);
    expect(Math.max(...files.map((name) => name.length))).toBeLessThanOrEqual(255);
    expect((await render()).stderr).toContain("0 written, 10 unchanged, 0 removed");
    expect((await runAnp(["diff", "in", "--against", "out"], { cwd: folder })).stderr).toContain("no changes");
  });

  it("keep their old file if the name fits", async () => {
    const name = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(58)}`;
    const folder = folderWith({ "in/policy.yaml": policy(), "in/pool.yaml": pool(name) });
    expect((await runAnp(["render", "in", "--output-dir", "out"], { cwd: folder })).exit).toBe(0);
    expect(readdirSync(join(folder, "out"))).toContain(`nodepool-${name}.yaml`);
  });
});

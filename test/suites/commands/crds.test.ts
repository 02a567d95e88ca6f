/** `anp crds --json-schemas`: what it writes, keeps and refuses. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kindSchemas } from "../../../scripts/json-schemas.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const OURS = "karpenter.hypershift.openshift.io";
const ALL = ["--karpenter"];

const write = (cwd: string, ...args: string[]) => runAnp(["crds", "--json-schemas", "out", ...args], { cwd });
const list = (cwd: string) =>
  readdirSync(join(cwd, "out"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .toSorted();

describe("anp crds --json-schemas", () => {
  it.each(["hypershift", "karpenter-1.14", "karpenter-1.15"])(
    "writes the files of schemas/ for %s",
    async (profile) => {
      const cwd = folderWith({});
      expect(await write(cwd, ...ALL, "--profile", profile)).toStrictEqual({
        exit: 0,
        stdout: "",
        stderr: "out: 6 written, 0 unchanged, 0 removed\n",
      });
      const written = Object.fromEntries(
        list(cwd).map((name) => [`${profile}/${name}`, JSON.parse(readFileSync(join(cwd, "out", name), "utf8"))]),
      );
      const expected = Object.entries(kindSchemas()).filter(([name]) => name.startsWith(`${profile}/`));
      expect(written).toStrictEqual(JSON.parse(JSON.stringify(Object.fromEntries(expected))));
      expect((await write(cwd, ...ALL, "--profile", profile)).stderr).toBe("out: 0 written, 6 unchanged, 0 removed\n");
    },
  );

  it("writes only our kinds without --karpenter, and removes its earlier files", async () => {
    const cwd = folderWith({});
    await write(cwd, ...ALL);
    expect((await write(cwd)).stderr).toBe("out: 0 written, 3 unchanged, 3 removed\n");
    expect(list(cwd)).toStrictEqual([
      `${OURS}/autonodepolicy_v1beta1.json`,
      `${OURS}/openshiftec2nodeclass_v1.json`,
      `${OURS}/openshiftnodepool_v1beta1.json`,
    ]);
  });

  it("keeps a catalogue of others, and with --force their files in its own folders", async () => {
    const files = {
      "out/apps/x_v1.json": "{}",
      [`out/${OURS}/mine.json`]: "{}",
      "out/karpenter.sh/nodepool_v1.json": "{}",
    };
    const cwd = folderWith(files);
    expect(await write(cwd)).toMatchObject({ exit: 1, stderr: expect.stringContaining("output-foreign") as string });
    expect(list(cwd)).toStrictEqual(
      Object.keys(files)
        .map((name) => name.slice(4))
        .toSorted(),
    );
    expect((await write(cwd, "--force")).stderr).toBe("out: 3 written, 0 unchanged, 0 removed\n");
    expect(await write(cwd, ...ALL, "--force")).toMatchObject({ exit: 1 });
    for (const [name, text] of Object.entries(files)) expect(readFileSync(join(cwd, name), "utf8"), name).toBe(text);
  });

  it("follows no link", async () => {
    const cwd = folderWith({ "elsewhere/keep.txt": "" });
    mkdirSync(join(cwd, "out"));
    symlinkSync(join(cwd, "elsewhere"), join(cwd, "out", OURS));
    expect(await write(cwd)).toMatchObject({ exit: 1, stderr: expect.stringContaining("it is a link") as string });
    expect(readdirSync(join(cwd, "elsewhere"))).toStrictEqual(["keep.txt"]);
  });

  it("reports where it cannot write", async () => {
    const cwd = folderWith({});
    writeFileSync(join(cwd, "out"), "");
    expect(await write(cwd)).toMatchObject({ exit: 1, stderr: expect.stringContaining("output-unwritable") as string });
  });

  it.each([
    [["crds", "--force"], "--force goes with --json-schemas"],
    [["crds", "--json-schemas", "out", "-o", "json"], "--json-schemas writes files of its own: leave -o out"],
  ])("%j is refused", async (args, words) => {
    const { exit, stdout, stderr } = await runAnp(args, { cwd: folderWith({}) });
    expect({ exit, stdout }).toStrictEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(words);
  });
});

/** Installing the npm package and a clone with the commands of docs/install.md, without a network. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { PLACEHOLDER, statedAddress } from "../../../scripts/release/address.ts";
import { typedUnder, VERSION } from "../../support/docs/install.ts";
import { anp, buildOnce, NODE, ROOT } from "../../support/process/built.ts";
import { folderWith } from "../../support/process/inputs.ts";

beforeAll(buildOnce);

const OFFLINE = { npm_config_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };

interface Typed {
  readonly cwd: string;
  /** Before everything else on the PATH. */
  readonly bin: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** All lines in one shell, which ends at the first that fails. */
function type(lines: readonly string[], { cwd, bin, env = {} }: Typed) {
  const PATH = [bin, dirname(NODE), process.env["PATH"]].join(delimiter);
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", lines.join("\n")], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...OFFLINE, ...env, PATH },
  });
  return { exit: status, stdout, stderr };
}

it("the package is installed as its page says", () => {
  const cwd = folderWith({});
  const args = ["pack", ROOT, "--ignore-scripts", "--silent", "--pack-destination", cwd];
  execFileSync("npm", args, { env: { ...process.env, ...OFFLINE }, stdio: "ignore" });
  const prefix = join(cwd, "prefix");
  const [lines = []] = typedUnder("npm");
  const { exit, stdout } = type(lines, { cwd, bin: join(prefix, "bin"), env: { npm_config_prefix: prefix } });
  expect([exit, stdout.trimEnd().split("\n").at(-1)]).toStrictEqual([0, VERSION]);
});

it("a clone renders, as its page says", () => {
  const cwd = folderWith({});
  const [, [clone = "", install = ""] = []] = typedUnder("Executables");
  // The page's address is a placeholder of the repository: here it is this one.
  const address = {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.file://${ROOT}.insteadOf`,
    GIT_CONFIG_VALUE_0: statedAddress() ?? PLACEHOLDER,
  };
  // Without a network nothing can be downloaded: the test shows that everything is in the lock file.
  const dry = { npm_config_dry_run: "true", npm_config_ignore_scripts: "true" };
  const cloned = type([clone, install], { cwd, bin: cwd, env: { ...address, ...dry } });
  expect([cloned.exit, cloned.stdout]).toStrictEqual([0, expect.stringMatching(/^added \d+ packages/m)]);
  const folder = join(cwd, "anp");
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
  const [[again = "", render = ""] = []] = typedUnder("A clone");
  expect(again).toBe(install);
  const { exit, stdout } = type([render], { cwd: folder, bin: folder });
  expect({ exit, stdout }).toStrictEqual({
    exit: 0,
    stdout: anp(["render", "fixtures/quickstart"], { cwd: ROOT }).stdout,
  });
});

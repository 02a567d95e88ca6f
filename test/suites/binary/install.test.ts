/** Installing the executable from a release archive, with the commands of docs/install.md. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runOn } from "../../../scripts/binary/run-on.ts";
import { TARGETS } from "../../../scripts/binary/targets.ts";
import { archiveName, executableArchive } from "../../../scripts/release/archives.ts";
import { executable, OWN } from "../../support/binary/executable.ts";
import { INSTALL_PAGE, typedUnder, VERSION } from "../../support/docs/install.ts";
import { readPage } from "../../support/docs/page.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { programsIn } from "../../support/process/programs.ts";

const own = await executable(OWN, "the tests of an executable that is installed");

describe.skipIf("skipped" in own)("an executable", () => {
  it("is installed as its page says", () => {
    const target = TARGETS.find(({ name }) => name === OWN)!;
    const path = "command" in own ? (own.command.at(-1) ?? "") : "";
    const folder = folderWith({});
    const archive = executableArchive(target, path, 0);
    const sum = createHash("sha256").update(archive).digest("hex");
    writeFileSync(join(folder, archiveName(target, VERSION)), archive);
    // The other files of the release are not needed.
    writeFileSync(join(folder, "SHA256SUMS"), `${"0".repeat(64)}  anp.rb\n${sum}  ${archiveName(target, VERSION)}\n`);
    mkdirSync(join(folder, "root/usr/local/bin"), { recursive: true });
    // The machine is not changed: files for its folders go below root/.
    const shims = programsIn(folderWith({}), {
      sudo: 'exec "$@"',
      install: 'while [ $# -gt 2 ]; do shift; done; cp "$1" "root$2" && chmod 755 "root$2"',
    });
    const [lines = []] = typedUnder("Executables");
    const script = lines.join("\n").replaceAll("linux-x64", OWN);
    const env = { PATH: [shims, process.env["PATH"]].join(delimiter) };
    const typed = spawnSync("bash", ["-e", "-c", script], { cwd: folder, encoding: "utf8", env });
    expect([typed.status, typed.stdout]).toStrictEqual([0, `${archiveName(target, VERSION)}: OK\n`]);
    const installed = join(folder, "root/usr/local/bin/anp");
    expect(execFileSync(installed, ["--version"], { encoding: "utf8", env: {} })).toBe(`${VERSION}\n`);
    expect(execFileSync(installed, ["completion", "bash"], { encoding: "utf8", env: {} })).toContain("complete ");
  });
});

it.each(TARGETS.filter(({ platform }) => platform !== process.platform))(
  "$name is not made if it cannot be tried, for the reason that the page shows",
  (target) => {
    const start = `${target.name}: not built: `;
    const line = readPage(INSTALL_PAGE)
      .split("\n")
      .find((text) => text.startsWith(start));
    expect(line).toBeDefined();
    expect(() => runOn(target)).toThrow(line!.slice(start.length));
  },
);

/** `npm run release [-- --dry-run]`: makes a release in build/release and prints how to publish it. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./build-folder.ts";
import { commit } from "./commit.ts";
import { PLACEHOLDER, statedAddress } from "./release/address.ts";
import { buildRelease, publishCommands, sha256 } from "./release/build-release.ts";
import { readiness } from "./release/readiness.ts";

const USAGE = `npm run release -- [--dry-run] [--base-url URL] [--homepage URL] [--also FOLDER] [--out FOLDER]

  --dry-run          make everything, whatever stands against a release
  --base-url URL     the folder that people will download the archives from (default: the releases of the repository)
  --homepage URL     of the project, for the formula and the manifest of the plugin (default: the repository)
  --also FOLDER      archives that were made on macOS and Windows
  --out FOLDER       where everything goes (default: build/release)
`;

const values = options();
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const { "dry-run": dryRun } = values;
const address = statedAddress() ?? PLACEHOLDER;
const { problems, notes } = readiness(version);
for (const problem of problems) console.error(`not ready: ${problem}`);
if (problems.length > 0 && !dryRun) process.exit(1);

execFileSync(process.execPath, ["scripts/build.ts"], { cwd: ROOT, stdio: "inherit" });
const folder = resolve(values.out ?? join(ROOT, "build/release"));
const missing = await buildRelease({
  version,
  commit: commit(),
  notes,
  baseUrl: values["base-url"] ?? `${address}/releases/download/v${version}`,
  homepage: values.homepage ?? address,
  also: values.also === undefined ? undefined : resolve(values.also),
  folder,
});
console.log(table());
for (const { name, reason } of missing) console.log(`not made: ${name}: ${reason}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`\n${dryRun ? "To publish it" : "Publish it with"}:\n\n${publishCommands(version, missing)}`);

function options() {
  try {
    return parseArgs({
      options: {
        "dry-run": { type: "boolean", default: false },
        "base-url": { type: "string" },
        homepage: { type: "string" },
        also: { type: "string" },
        out: { type: "string" },
      },
    }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return process.exit(2);
  }
}

function table(): string {
  const rows = readdirSync(folder)
    .toSorted()
    .map((name) => {
      const file = join(folder, name);
      return [name, String(statSync(file).size), sha256(file)];
    });
  const all = [["file", "bytes", "sha256"], ["---", "---:", "---"], ...rows];
  return all.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

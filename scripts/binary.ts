/** `npm run binary [TARGET…]`: builds executables that need no node, in build/binary, and reports each. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { buildBinary } from "./binary/build-binary.ts";
import { TARGETS } from "./binary/targets.ts";
import { buildFolder, ROOT, Unavailable } from "./build-folder.ts";

const { positionals: asked } = parseArgs({ allowPositionals: true });
const names = TARGETS.map(({ name }) => name);
const unknown = asked.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`npm run binary -- [${names.join(" | ")}]…`);
  process.exit(2);
}

execFileSync(process.execPath, ["scripts/build.ts"], { cwd: ROOT, stdio: "inherit" });
const missing: string[] = [];
for (const target of TARGETS.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  try {
    const file = await buildBinary(target, buildFolder("binary"));
    const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
    console.log(
      `${target.name}: ${file.slice(ROOT.length)}, ${(statSync(file).size / 2 ** 20).toFixed(1)} MiB, ${hash}`,
    );
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.log(`${target.name}: not built: ${error.message}`);
    missing.push(target.name);
  }
}
// A target that is named on the command line has to be built.
process.exitCode = missing.some((name) => asked.includes(name)) ? 1 : 0;

/** `npm run binary [TARGET…]`: builds executables that need no node, in build/binary, and reports each. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { buildBinary } from "./binary/build-binary.ts";
import { TARGETS } from "./binary/targets.ts";
import { buildFolder, ROOT } from "./build-folder.ts";
import { Unavailable } from "./unavailable.ts";

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  // node's own --build-sea instead of pkg.
  options: { tool: { type: "string", default: "pkg" } },
});
const names = TARGETS.map(({ name }) => name);
const unknown = asked.find((name) => !names.includes(name));
if (unknown !== undefined || (values.tool !== "pkg" && values.tool !== "node")) {
  console.error(`npm run binary -- [${names.join(" | ")}]… [--tool pkg | node]`);
  process.exit(2);
}

execFileSync(process.execPath, ["scripts/build.ts"], { cwd: ROOT, stdio: "inherit" });
const missing: string[] = [];
for (const target of TARGETS.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  try {
    const file = await buildBinary(target, buildFolder("binary"), values.tool);
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

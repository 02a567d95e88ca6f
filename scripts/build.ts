/** Builds dist/: one CommonJS file with everything in it, and V8's code cache of it after a whole run. */
import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script, constants } from "node:vm";
import { build, type Plugin } from "esbuild";
import type { main as Main } from "../src/main.ts";

const BUNDLE = fileURLToPath(new URL("../dist/anp.cjs", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../fixtures/quickstart", import.meta.url));

/** commander starts other programs only for commands in files of their own, which anp has none of: 2 ms of each start. */
const childProcessOnDemand: Plugin = {
  name: "child-process-on-demand",
  setup(bundling) {
    bundling.onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ path, namespace: "on-demand" }));
    bundling.onLoad({ filter: /.*/, namespace: "on-demand" }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => process.getBuiltinModule(${JSON.stringify(path)})[name] })`,
    }));
  },
};

const { outputFiles } = await build({
  entryPoints: ["src/main.ts"],
  outfile: BUNDLE,
  write: false,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22.19",
  minify: true,
  legalComments: "none",
  plugins: [childProcessOnDemand],
});
const text = outputFiles[0]?.text ?? "";
const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
const source = `/*${id}*/${text}`;

await rm("dist", { recursive: true, force: true });
await mkdir("dist");
await writeFile(BUNDLE, source);
await writeFile(`${BUNDLE}.${id}.cache`, await codeCache());

/** What bin/anp.js compiles, with every function that rendering the example has used. */
async function codeCache(): Promise<Buffer> {
  const script = new Script(`(function (exports, require, module) {${source}\n})`, {
    filename: BUNDLE,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module: { exports: Partial<{ main: typeof Main }> } = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(BUNDLE), module);
  const code = await module.exports.main?.(["render", EXAMPLE], {
    stdinIsTerminal: true,
    readStdin: () => Buffer.alloc(0),
    writeOut: () => undefined,
    writeError: () => undefined,
    writeFile: () => undefined,
    style: () => ({ error: String, warning: String, info: String, strong: String, faint: String }),
  });
  if (code !== 0) throw new Error(`the built program ended with ${code} on ${EXAMPLE}`);
  return script.createCachedData();
}

/** Runs a bundle once with anp's arguments and writes V8's code cache of that run. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { Script, constants } from "node:vm";
import type { main as Main } from "../src/main.ts";

const [bundle = "", cache = "", ...args] = process.argv.slice(2);

// The same bundle must give the same bytes: background compilation and garbage collection leave traces in a cache,
// depending on their timing. The other settings are in the flags that node is started with.
const COMPILERS = ["sparkplug", "maglev", "turbofan"];
for (const compiler of COMPILERS) setFlagsFromString(`--no-${compiler}`);

// As bin/anp.js does it: the cache is valid for this exact text.
const script = new Script(`(function (exports, require, module) {${readFileSync(bundle, "latin1")}\n})`, {
  // Not the path of this machine, which would end up in the cache.
  filename: "anp.cjs",
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const module: { exports: Partial<{ main: typeof Main }> } = { exports: {} };
script.runInThisContext()(module.exports, createRequire(bundle), module);
const code = await module.exports.main?.(args);
if (code !== 0) throw new Error(`the built program ended with ${code} on ${args.join(" ")}`);
// V8 refuses a cache that was made with other flags than the reader's.
for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}`);
writeFileSync(cache, script.createCachedData());

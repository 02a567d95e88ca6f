/** Runs the bundle once and writes V8's code cache of that run: the bundle, the cache's file and anp's arguments in. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Script, constants } from "node:vm";
import type { main as Main } from "../src/main.ts";

const [bundle = "", cache = "", ...args] = process.argv.slice(2);

// As bin/anp.js does it: the cache is good for this very text.
const script = new Script(`(function (exports, require, module) {${readFileSync(bundle, "latin1")}\n})`, {
  filename: bundle,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const module: { exports: Partial<{ main: typeof Main }> } = { exports: {} };
script.runInThisContext()(module.exports, createRequire(bundle), module);
const code = await module.exports.main?.(args);
if (code !== 0) throw new Error(`the built program ended with ${code} on ${args.join(" ")}`);
writeFileSync(cache, script.createCachedData());

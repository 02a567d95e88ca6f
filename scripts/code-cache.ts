/** Runs the bundle once and writes V8's code cache of that run: the bundle, the cache's file and anp's arguments in. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { Script, constants } from "node:vm";
import type { main as Main } from "../src/main.ts";

const [bundle = "", cache = "", ...args] = process.argv.slice(2);

// The same bundle gives the same bytes: what compilers in the background and the collector of garbage do, and when, leaves
// traces in a cache. The rest is in the flags that node is started with.
const COMPILERS = ["sparkplug", "maglev", "turbofan"];
for (const compiler of COMPILERS) setFlagsFromString(`--no-${compiler}`);

// As bin/anp.js does it: the cache is good for this very text.
const script = new Script(`(function (exports, require, module) {${readFileSync(bundle, "latin1")}\n})`, {
  // Not the path of this machine, which the cache would hold.
  filename: "anp.cjs",
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const module: { exports: Partial<{ main: typeof Main }> } = { exports: {} };
script.runInThisContext()(module.exports, createRequire(bundle), module);
const code = await module.exports.main?.(args);
if (code !== 0) throw new Error(`the built program ended with ${code} on ${args.join(" ")}`);
// V8 compares the flags of those who made a cache with those of who reads it.
for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}`);
writeFileSync(cache, script.createCachedData());

#!/usr/bin/env node
/** Starts the bundle in dist/ with V8's code cache of a whole run, or without one where node is another (docs/decisions/0007). */
const { readFileSync } = require("node:fs");
const { createRequire, enableCompileCache } = require("node:module");
const { join } = require("node:path");
const { Script, constants } = require("node:vm");

const BUNDLE = join(__dirname, "../dist/anp.cjs");

function start() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 19)) {
    process.stderr.write(`anp: node ${process.versions.node} is too old, anp needs 22.19 or newer\n`);
    process.exitCode = 2;
    return;
  }
  try {
    const { main } = fromCodeCache() ?? compiled();
    main(process.argv.slice(2)).then((code) => (process.exitCode = code));
  } catch (error) {
    process.stderr.write(`anp: the installation is broken, install it again: ${error.message.split("\n")[0]}\n`);
    process.exitCode = 70;
  }
}

function fromCodeCache() {
  try {
    const source = readFileSync(BUNDLE, "utf8");
    // V8 tells sources apart by their length only: the cache carries the build that its first line names.
    const build = /^\/\*(\w+)\*\//.exec(source)?.[1];
    const cachedData = readFileSync(`${BUNDLE}.${build}.cache`);
    const script = new Script(`(function (exports, require, module) {${source}\n})`, {
      filename: BUNDLE,
      cachedData,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (script.cachedDataRejected) return undefined;
    const module = { exports: {} };
    script.runInThisContext()(module.exports, createRequire(BUNDLE), module);
    return module.exports;
  } catch {
    return undefined;
  }
}

function compiled() {
  enableCompileCache();
  return require(BUNDLE);
}

start();

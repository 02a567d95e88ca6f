#!/usr/bin/env node
/** Starts the bundle in dist/ with V8's code cache of a whole run, or without one where node is another (docs/decisions/0007). */
const { existsSync, readFileSync } = require("node:fs");
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
    // All is written by then; what node would tidy up, the system does faster.
    main(process.argv.slice(2)).then((code) => process.exit(code));
  } catch (error) {
    process.stderr.write(`anp: the installation is broken, install it again: ${error.message.split("\n")[0]}\n`);
    process.exitCode = 70;
  }
}

function fromCodeCache() {
  try {
    // The build writes ASCII only, which this reads fastest.
    const source = readFileSync(BUNDLE, "latin1");
    // V8 tells sources apart by their length only: the cache carries the build that its first line names.
    const build = /^\/\*(\w+)\*\//.exec(source)?.[1];
    const cachedData = readFileSync(cacheFor(build));
    const script = new Script(`(function (exports, require, module) {${source}\n})`, {
      filename: BUNDLE,
      cachedData,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (script.cachedDataRejected) return undefined;
    const module = { exports: {} };
    script.runInThisContext()(module.exports, require("node:module").createRequire(BUNDLE), module);
    return module.exports;
  } catch {
    return undefined;
  }
}

/** Of a run of the same command, because reading what another one uses takes time; else that of the help, which loads all commands. */
function cacheFor(build) {
  const [, command] = /^(?:--)?([a-z]+)$/.exec(process.argv[2] ?? "") ?? [];
  const own = `${BUNDLE}.${build}.${command}.cache`;
  return existsSync(own) ? own : `${BUNDLE}.${build}.help.cache`;
}

function compiled() {
  require("node:module").enableCompileCache();
  return require(BUNDLE);
}

start();

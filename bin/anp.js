#!/usr/bin/env node
/** Starts the bundle in dist/ with V8's code cache, or without it on another version of node (docs/decisions/0007). */
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script, constants } = require("node:vm");

const BUNDLE = bundleFor(process.argv[2] ?? "");

function start() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 19)) {
    const ways =
      "  help: in this copy of its repository `npx anp` takes the node of `npm ci`; `npm run binary` makes one that needs none\n";
    const help = existsSync(join(__dirname, "../package-lock.json")) ? ways : "";
    process.stderr.write(`anp: node ${process.versions.node} is too old, anp needs 22.19 or newer\n${help}`);
    process.exitCode = 2;
    return;
  }
  try {
    const { main } = fromCodeCache() ?? compiled();
    // All output is written by then; skipping node's own clean-up is faster.
    main(process.argv.slice(2)).then((code) => process.exit(code));
  } catch (error) {
    process.stderr.write(`anp: the installation is broken, install it again: ${error.message.split("\n")[0]}\n`);
    process.exitCode = 70;
  }
}

function fromCodeCache() {
  try {
    // The build writes ASCII only, which node reads fastest in this encoding.
    const source = readFileSync(BUNDLE, "latin1");
    // V8 compares sources by length only: the cache names the build, which the bundle's first line must match.
    const build = /^\/\*(\w+)\*\//.exec(source)?.[1];
    const cachedData = readFileSync(`${BUNDLE}.${build}.cache`);
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

/** The bundle of this command alone, if it exists: reading the other commands' code takes time. */
function bundleFor(argument) {
  const version = argument === "--version" || argument === "-V";
  const name = version ? "--version" : /^[a-z]+$/.test(argument) ? argument : "";
  const own = join(__dirname, `../dist/anp.${name}.cjs`);
  return existsSync(own) ? own : join(__dirname, "../dist/anp.cjs");
}

function compiled() {
  require("node:module").enableCompileCache();
  return require(BUNDLE);
}

start();

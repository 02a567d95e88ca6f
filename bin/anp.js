#!/usr/bin/env node
/** Starts the bundle in dist/ with V8's code cache of a whole run, or without one where node is another (docs/decisions/0007). */
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`anp: node ${process.versions.node} is too old, anp needs 22.19 or newer\n`);
  process.exit(2);
}

const builtin = process.getBuiltinModule;
const { readFileSync } = builtin("node:fs");
const { fileURLToPath } = builtin("node:url");
const { createRequire, enableCompileCache } = builtin("node:module");

const bundle = fileURLToPath(new URL("../dist/anp.cjs", import.meta.url));
try {
  const { main } = fromCodeCache() ?? compiled();
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`anp: the installation is broken, install it again: ${error.message.split("\n")[0]}\n`);
  process.exitCode = 70;
}

function fromCodeCache() {
  try {
    const source = readFileSync(bundle, "utf8");
    // V8 tells sources apart by their length only: the cache carries the build that its first line names.
    const build = /^\/\*(\w+)\*\//.exec(source)?.[1];
    const cachedData = readFileSync(`${bundle}.${build}.cache`);
    const { Script, constants } = builtin("node:vm");
    const script = new Script(`(function (exports, require, module) {${source}\n})`, {
      filename: bundle,
      cachedData,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (script.cachedDataRejected) return undefined;
    const module = { exports: {} };
    script.runInThisContext()(module.exports, createRequire(bundle), module);
    return module.exports;
  } catch {
    return undefined;
  }
}

function compiled() {
  enableCompileCache();
  return createRequire(import.meta.url)(bundle);
}

/** Starts anp in its executable: bin/anp.js with assets instead of dist/. */
import { getAssetKeys, getRawAsset } from "node:sea";
import { constants, Script } from "node:vm";
import type { main as Main } from "../../src/main.ts";

const ASSETS = new Set(getAssetKeys());

/** The bundle of one command, if it exists. */
function bundleFor(argument: string): string {
  const version = argument === "--version" || argument === "-V";
  const own = `anp.${version ? "--version" : argument}.cjs`;
  return ASSETS.has(own) ? own : "anp.cjs";
}

function load(name: string): unknown {
  // The build writes bundles in ASCII, and chunks in UTF-8; a cache belongs to a bundle.
  const bytes = Buffer.from(getRawAsset(name));
  const cache = `${name}.cache`;
  const cached = ASSETS.has(cache);
  const script = new Script(`(function (exports, require, module) {${bytes.toString(cached ? "latin1" : "utf8")}\n})`, {
    filename: name,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cached ? { cachedData: Buffer.from(getRawAsset(cache)) } : {}),
  });
  const module: { exports: unknown } = { exports: {} };
  const run = script.runInThisContext() as (exports: unknown, require: unknown, module: unknown) => void;
  run(module.exports, requireAsset, module);
  return module.exports;
}

const loaded = new Map<string, unknown>();

/** Loads a chunk among the assets, once; else a module of node. */
function requireAsset(name: string): unknown {
  if (!name.startsWith("./")) return require(name);
  const asset = name.slice(2);
  if (!loaded.has(asset)) loaded.set(asset, load(asset));
  return loaded.get(asset);
}

function startProgram(): void {
  const { main } = load(bundleFor(process.argv[2] ?? "")) as { main: typeof Main };
  void main(process.argv.slice(2)).then((code) => process.exit(code));
}

try {
  startProgram();
} catch (error) {
  process.stderr.write(`anp: the executable is broken, get it again: ${(error as Error).message.split("\n")[0]}\n`);
  process.exitCode = 70;
}

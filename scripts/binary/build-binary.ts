/** Builds the executable of a target from dist/, with the same bytes for the same bundles. */
import { execFileSync } from "node:child_process";
import { cpSync, linkSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { buildFolder, ROOT, Unavailable } from "../build-folder.ts";
import { bundleName, RUNS, writeCodeCache } from "../code-caches.ts";
import { nodePackage } from "./node-package.ts";
import type { PackRequest } from "./pack.ts";
import { runOn } from "./run-on.ts";
import { binaryName, NODE_VERSION, type Target } from "./targets.ts";

/**
 * @param folder the folder of the executable, which has its own name
 * @throws Unavailable
 */
export async function buildBinary(target: Target, folder: string): Promise<string> {
  const command = runOn(target);
  if (process.version !== `v${NODE_VERSION}`)
    throw new Unavailable(`it is built with node ${NODE_VERSION}, and this is ${process.version}: use npm run binary`);
  const { node } = nodePackage(target);
  const work = mkdtempSync(join(buildFolder("work"), `${target.name}-`));
  try {
    const assets = collectAssets(join(work, "assets"));
    makeCaches([...command, node], join(work, "assets"), assets);
    await writeStart(join(work, "start.js"));
    const output = join(work, binaryName(target));
    pack(target, { node, work, assets, output });
    mkdirSync(folder, { recursive: true });
    const binary = join(folder, binaryName(target));
    renameSync(output, binary);
    return binary;
  } finally {
    rmSync(work, { recursive: true });
  }
}

type Assets = Record<string, string>;

/**
 * A copy of everything that the program needs, without the library: other processes may build dist/ in the meantime.
 */
function collectAssets(folder: string): Assets {
  mkdirSync(folder);
  const names = readdirSync(join(ROOT, "dist")).filter(
    (name) => (name.endsWith(".cjs") && name !== "library.cjs") || (name.endsWith(".json") && name !== "bundled.json"),
  );
  return Object.fromEntries(
    names.toSorted().map((name) => {
      cpSync(join(ROOT, "dist", name), join(folder, name));
      return [name, join(folder, name)];
    }),
  );
}

function makeCaches(node: readonly string[], folder: string, assets: Assets): void {
  for (const command of [undefined, ...Object.keys(RUNS)]) {
    const name = bundleName(command);
    const cache = join(folder, `${name}.cache`);
    writeCodeCache(node, { command, bundle: join(folder, name), cache });
    assets[`${name}.cache`] = cache;
  }
}

async function writeStart(file: string): Promise<void> {
  await build({
    entryPoints: [join(ROOT, "scripts/binary/start.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "cjs",
    minify: true,
    logLevel: "error",
  });
}

interface Packing {
  readonly node: string;
  readonly work: string;
  readonly assets: Assets;
  readonly output: string;
}

function pack(target: Target, { node, work, assets, output }: Packing): void {
  prefill(target, node, join(work, ".pkg-cache/sea"));
  const request: PackRequest = { target, nodeVersion: NODE_VERSION, main: "../start.js", assets, output };
  const env = { ...process.env, HOME: work, USERPROFILE: work, TMPDIR: work, TEMP: work, TMP: work };
  const script = join(ROOT, "scripts/binary/pack.ts");
  execFileSync(process.execPath, [script, JSON.stringify(request)], { env, stdio: ["ignore", "ignore", "inherit"] });
}

/**
 * The files that pkg would download: it looks for an archive and its content, and for the marks that both are complete.
 */
function prefill({ platform, arch }: Target, node: string, cache: string): void {
  const system = platform === "win32" ? "win" : platform;
  const name = `node-v${NODE_VERSION}-${system}-${arch}`;
  const archive = join(cache, `${name}.${platform === "win32" ? "zip" : "tar.gz"}`);
  const executable = platform === "win32" ? join(cache, `${name}.exe`) : join(cache, name, "bin/node");
  mkdirSync(join(executable, ".."), { recursive: true });
  linkSync(node, executable);
  for (const file of [archive, `${archive}.ok`, `${executable}.ok`]) writeFileSync(file, "");
}

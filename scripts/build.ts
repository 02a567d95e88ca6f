/** Builds dist/: bundles of all commands and of single ones, their V8 code caches, and data files. */
import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";
import { buildCatalogue } from "./build-catalogue.ts";
import { buildFindings } from "./build-findings.ts";
import { buildPrices } from "./build-prices.ts";
import { libraryText, libraryTypes, WHOLE_ENTRY } from "./build-library.ts";
import { bundledPackages, licensesText } from "./bundled-packages.ts";
import { chunkOptions, KUBE_CONFIG, KUBE_CONFIG_CHUNK, kubeConfigApart } from "./chunk-options.ts";
import { bundleName, RUNS, writeCodeCache } from "./code-caches.ts";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));

/**
 * commander imports modules of node as a whole, which esbuild would copy name by name. It starts other programs only
 * for commands in separate files, which anp does not have: this saves 2 ms of each start.
 */
const nodeForCommander: Plugin = {
  name: "node-for-commander",
  setup(bundling) {
    bundling.onResolve({ filter: /^node:(?:child_process|fs|path|process)$/ }, ({ path, importer }) =>
      /[/\\]commander[/\\]/.test(importer) ? { path, namespace: "for-commander" } : undefined,
    );
    bundling.onLoad({ filter: /.*/, namespace: "for-commander" }, ({ path }) => {
      const module = `process.getBuiltinModule(${JSON.stringify(path)})`;
      const onDemand = `new Proxy({}, { get: (_, name) => ${module}[name] })`;
      return { contents: `export default ${path === "node:child_process" ? onDemand : module}` };
    });
  },
};

/** Code that few runs need, such as src/cluster: files of their own, by the name in dist/. */
const chunks = new Map<string, string>();
const chunksApart: Plugin = {
  name: "chunks-apart",
  setup(bundling) {
    const apart = /\/(?:cluster|mcp|report\/(?:dashboard|html))\/[\w/-]+\.ts$/;
    bundling.onResolve({ filter: apart }, ({ path, resolveDir, kind, importer }) => {
      if (kind !== "dynamic-import") return { errors: [{ text: `${importer} must load ${path} with import()` }] };
      const name = `${basename(path, ".ts")}.cjs`;
      chunks.set(name, join(resolveDir, path));
      return { path: `./${name}`, external: true };
    });
  },
};

/** Leaves out the other commands of a single command's bundle: main.ts imports the one that is requested. */
const onlyCommand = (command: string): Plugin => ({
  name: "only-command",
  setup(bundling) {
    bundling.onResolve({ filter: /^\.\/commands\/[\w-]+\.ts$/ }, ({ path, kind }) =>
      kind === "dynamic-import" && basename(path, ".ts") !== command ? { path, external: true } : undefined,
    );
  },
});

const COMMON = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22.19",
  minify: true,
  // All licences are in licenses.txt.
  legalComments: "none",
} as const;

const metafiles: Metafile[] = [];

async function bundleText(options: BuildOptions): Promise<string> {
  const { outputFiles, metafile } = await build({ ...COMMON, ...options, write: false, metafile: true });
  metafiles.push(metafile);
  return outputFiles[0]?.text ?? "";
}

/** The text of a bundle; its first line names the build. @param command one only, or undefined for all */
async function bundle(command: string | undefined): Promise<{ id: string; source: string }> {
  const whole = await bundleText({
    ...(command === undefined ? WHOLE_ENTRY : { entryPoints: ["src/main.ts"] }),
    outfile: join(DIST, "anp.cjs"),
    // As external modules they are required, which works wherever the bundle was compiled. esbuild avoids newer
    // versions of Unicode in patterns; ours are in the oldest supported node, and compiled once as literals.
    supported: { "dynamic-import": false, "regexp-unicode-property-escapes": true },
    // Undefined in the sources, which tells them from the bundle.
    define: { "import.meta.dirname": "undefined" },
    plugins: [nodeForCommander, chunksApart, ...(command === undefined ? [] : [onlyCommand(command)])],
  });
  // esbuild leaves regular expressions as they are. One character beyond ASCII doubles the text in memory.
  const text = whole.replaceAll(/[\u0080-\uffff]/g, escaped);
  const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { id, source: `/*${id}*/${text}` };
}

// Tests run dist/ while others build it: files are replaced atomically, and none is missing for a moment.
const earlier = await mkdir(DIST, { recursive: true }).then(() => readdir(DIST));
buildCatalogue("dist");
buildPrices("dist");
buildFindings("dist");
const kept = new Set(["catalogue.json", "prices.json", "findings.json"]);
for (const command of [undefined, ...Object.keys(RUNS)]) {
  const { id, source } = await bundle(command);
  const file = bundleName(command);
  await write(file, source);
  const cache = `${file}.${id}.cache`;
  writeCodeCache([process.execPath], { command, bundle: join(DIST, file), cache: join(DIST, cache) });
  kept.add(cache);
}
for (const [name, entry] of chunks) {
  const options = chunkOptions(entry);
  const plugins = [kubeConfigApart, ...(options.plugins ?? [])];
  await write(name, await bundleText({ ...options, plugins }));
}
await write(KUBE_CONFIG_CHUNK, await bundleText(KUBE_CONFIG));
await write("library.cjs", libraryText());
await write("library.d.cts", libraryTypes());
const packages = bundledPackages(metafiles);
await write("licenses.txt", licensesText(packages));
await write("bundled.json", `${JSON.stringify(packages.map(({ name, version }) => ({ name, version })))}\n`);
for (const file of earlier.filter((name) => !kept.has(name))) await rm(join(DIST, file));

async function write(file: string, text: string): Promise<void> {
  kept.add(file);
  await writeFile(join(DIST, `${file}.new`), text);
  await rename(join(DIST, `${file}.new`), join(DIST, file));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Builds dist/: a bundle with everything in it and smaller ones of single commands, V8's code caches of them, and the catalogue. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { buildCatalogue } from "./build-catalogue.ts";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const CODE_CACHE = fileURLToPath(new URL("code-cache.ts", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../fixtures/quickstart", import.meta.url));

/**
 * What the runs of a command mostly use. Each of these has a bundle without the other commands, because reading a bundle
 * and its cache takes time for all that they hold; everything else starts from the whole one.
 */
const RUNS = {
  "--version": ["--version"],
  render: ["render", EXAMPLE],
  check: ["check", EXAMPLE],
  explain: ["explain", EXAMPLE],
};

/** commander starts other programs only for commands in files of their own, which anp has none of: 2 ms of each start. */
const childProcessOnDemand: Plugin = {
  name: "child-process-on-demand",
  setup(bundling) {
    bundling.onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ path, namespace: "on-demand" }));
    bundling.onLoad({ filter: /.*/, namespace: "on-demand" }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => process.getBuiltinModule(${JSON.stringify(path)})[name] })`,
    }));
  },
};

/** What is imported from src/cluster, and so only when a cluster is asked for: files of their own, by the name in dist/. */
const chunks = new Map<string, string>();
const clusterApart: Plugin = {
  name: "cluster-apart",
  setup(bundling) {
    bundling.onResolve({ filter: /\/cluster\/[\w/-]+\.ts$/ }, ({ path, resolveDir, kind, importer }) => {
      if (kind !== "dynamic-import") return { errors: [{ text: `${importer} must load ${path} with import()` }] };
      const name = `${basename(path, ".ts")}.cjs`;
      chunks.set(name, join(resolveDir, path));
      return { path: `./${name}`, external: true };
    });
  },
};

/** Leaves the commands out that a bundle is not for: main.ts imports the one that is asked for. */
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
  legalComments: "none",
} as const;

/** The text of a bundle; its first line names the build. @param command one only, or undefined for all */
async function bundle(command: string | undefined): Promise<{ id: string; source: string }> {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: ["src/main.ts"],
    outfile: join(DIST, "anp.cjs"),
    write: false,
    // Then they are required, which works wherever the bundle was compiled.
    supported: { "dynamic-import": false },
    // Where it is undefined, the bundle runs, and not the sources.
    define: { "import.meta.dirname": "undefined" },
    plugins: [childProcessOnDemand, clusterApart, ...(command === undefined ? [] : [onlyCommand(command)])],
  });
  // esbuild leaves regular expressions as they are. One character beyond ASCII doubles the text in memory.
  const text = (outputFiles[0]?.text ?? "").replaceAll(/[\u0080-\uffff]/g, escaped);
  const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { id, source: `/*${id}*/${text}` };
}

// Tests run what stands here while others build: nothing is away for a moment, and nothing is there by halves.
const earlier = await mkdir(DIST, { recursive: true }).then(() => readdir(DIST));
buildCatalogue("dist");
const kept = new Set(["catalogue.json"]);
for (const [name, args] of [["", ["--help"]] as const, ...Object.entries(RUNS)]) {
  const { id, source } = await bundle(name === "" ? undefined : name);
  const file = name === "" ? "anp.cjs" : `anp.${name}.cjs`;
  await write(file, source);
  // Each in a process of its own: V8 would put the functions of earlier runs into a cache.
  const command = [CODE_CACHE, join(DIST, file), join(DIST, `${file}.${id}.cache`), ...args];
  execFileSync(process.execPath, command, { stdio: ["ignore", "ignore", "pipe"] });
  kept.add(`${file}.${id}.cache`);
}
for (const [name, entry] of chunks) {
  const { outputFiles } = await build({ ...COMMON, entryPoints: [entry], write: false });
  await write(name, outputFiles[0]?.text ?? "");
}
for (const file of earlier.filter((name) => !kept.has(name))) await rm(join(DIST, file));

async function write(file: string, text: string): Promise<void> {
  kept.add(file);
  await writeFile(join(DIST, `${file}.new`), text);
  await rename(join(DIST, `${file}.new`), join(DIST, file));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

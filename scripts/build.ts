/** Builds dist/: one CommonJS file with everything in it, V8's code caches of it after whole runs, and the catalogue. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { buildCatalogue } from "./build-catalogue.ts";

const BUNDLE = fileURLToPath(new URL("../dist/anp.cjs", import.meta.url));
const CODE_CACHE = fileURLToPath(new URL("code-cache.ts", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../fixtures/quickstart", import.meta.url));

/** What the runs of a command mostly use. The first is for everything that has no run of its own. */
const RUNS = {
  help: ["--help"],
  version: ["--version"],
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
    bundling.onResolve({ filter: /\/cluster\/[\w-]+\.ts$/ }, ({ path, resolveDir, kind, importer }) => {
      if (kind !== "dynamic-import") return { errors: [{ text: `${importer} must load ${path} with import()` }] };
      const name = `${basename(path, ".ts")}.cjs`;
      chunks.set(name, join(resolveDir, path));
      return { path: `./${name}`, external: true };
    });
  },
};

const COMMON = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22.19",
  minify: true,
  legalComments: "none",
} as const;

const { outputFiles } = await build({
  ...COMMON,
  entryPoints: ["src/main.ts"],
  outfile: BUNDLE,
  write: false,
  // Then they are required, which works wherever the bundle was compiled.
  supported: { "dynamic-import": false },
  // Where it is undefined, the bundle runs, and not the sources.
  define: { "import.meta.dirname": "undefined" },
  plugins: [childProcessOnDemand, clusterApart],
});
// esbuild leaves regular expressions as they are. One character beyond ASCII doubles the text in memory.
const text = (outputFiles[0]?.text ?? "").replaceAll(/[\u0080-\uffff]/g, escaped);
const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
const source = `/*${id}*/${text}`;

// Tests run what stands here while others build: nothing is away for a moment, and nothing is there by halves.
const earlier = await mkdir("dist", { recursive: true }).then(() => readdir("dist"));
buildCatalogue("dist");
for (const [name, entry] of chunks) {
  await build({ ...COMMON, entryPoints: [entry], outfile: `dist/${name}.new` });
  await rename(`dist/${name}.new`, `dist/${name}`);
}
await writeFile(`${BUNDLE}.new`, source);
await rename(`${BUNDLE}.new`, BUNDLE);
for (const [name, args] of Object.entries(RUNS)) {
  // Each in a process of its own: V8 would put the functions of earlier runs into a cache.
  const command = [CODE_CACHE, BUNDLE, `${BUNDLE}.${id}.${name}.cache`, ...args];
  execFileSync(process.execPath, command, { stdio: ["ignore", "ignore", "pipe"] });
}

for (const name of earlier.filter((file) => file.endsWith(".cache") && !file.includes(id))) await rm(`dist/${name}`);

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Builds dist/anp.js: one ES module with everything in it, started by bin/anp.js. */
import { rm } from "node:fs/promises";
import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: { anp: "src/main.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node22.19",
  minify: true,
  keepNames: false,
  legalComments: "none",
  // yaml is CommonJS and asks for node's own modules by require.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});

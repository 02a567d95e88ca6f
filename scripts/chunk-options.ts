/** esbuild's options to bundle a chunk as CommonJS, by the chunk's first file; and the chunk that reads a kubeconfig. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type BuildOptions, type Plugin, transform } from "esbuild";

export function chunkOptions(entry: string): BuildOptions {
  if (entry.endsWith("/html/pictures.ts")) return { entryPoints: [entry], plugins: [onlyWhatIsUsed(/^/)] };
  if (entry.endsWith("/run-mcp.ts")) return { entryPoints: [entry], plugins: [withoutValidator, onlyWhatIsUsed(/^/)] };
  if (!entry.endsWith("/show-dashboard.ts")) return { entryPoints: [entry], plugins: [OF_OURS] };
  return {
    stdin: {
      resolveDir: dirname(entry),
      contents: `
        import { load } from "yoga-layout";
        import { showDashboard as show } from ${JSON.stringify(entry)};
        export * from ${JSON.stringify(entry)};
        export async function showDashboard(...given) {
          await load();
          return show(...given);
        }
      `,
    },
    // React's development build has additional checks and measurements.
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [yogaLater, inkInProduction, OF_OURS],
  };
}

/**
 * Leaves out files of which nothing is used, although they have statements: only the constants of files that also read
 * or check are needed where plain data is shown.
 *
 * @param paths absolute paths of files without effects
 */
const onlyWhatIsUsed = (paths: RegExp): Plugin => ({
  name: "only-what-is-used",
  setup(bundling) {
    bundling.onResolve({ filter: /^/ }, async ({ path, resolveDir, kind, importer, pluginData }) => {
      if (pluginData === onlyWhatIsUsed || kind === "entry-point") return undefined;
      const found = await bundling.resolve(path, { resolveDir, kind, importer, pluginData: onlyWhatIsUsed });
      if (found.errors.length > 0) return { errors: found.errors };
      return { path: found.path, external: found.external, ...(paths.test(found.path) ? { sideEffects: false } : {}) };
    });
  },
});

/** The SDK checks with ajv, 150 kB, what a client answers a server that asks; `anp mcp` asks clients nothing. */
const withoutValidator: Plugin = {
  name: "without-validator",
  setup(bundling) {
    bundling.onLoad({ filter: /[/\\]@modelcontextprotocol[/\\]server[/\\]dist[/\\]shimsNode\.mjs$/ }, () => ({
      contents: `
        export { default as process } from "node:process";
        export class DefaultJsonSchemaValidator {}
      `,
    }));
  },
};

/** The sources of anp do nothing when they are loaded. */
const OF_OURS = onlyWhatIsUsed(/[/\\]src[/\\](?!.*node_modules)/);

/** ink awaits its development tools at the top level, which CommonJS cannot do: they are removed. */
const inkInProduction: Plugin = {
  name: "ink-in-production",
  setup(bundling) {
    bundling.onLoad({ filter: /\/ink\/build\/reconciler\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const { code } = await transform(source.replaceAll("process.env['DEV'] === 'true'", "false"), {
        minifySyntax: true,
      });
      return { contents: code };
    });
  },
};

/**
 * ink uses yoga, which is WebAssembly and awaits itself at the top level; CommonJS cannot do that. Here its constants,
 * which ink reads at once, are there from the start, and `load` adds the rest before anything is drawn.
 */
const yogaLater: Plugin = {
  name: "yoga-later",
  setup(bundling) {
    bundling.onResolve({ filter: /^yoga-layout$/ }, async ({ resolveDir, kind }) => {
      const { path, errors } = await bundling.resolve("yoga-layout/load", { resolveDir, kind });
      return errors.length > 0 ? { errors } : { path, namespace: "yoga-later" };
    });
    bundling.onLoad({ filter: /.*/, namespace: "yoga-later" }, ({ path }) => ({
      resolveDir: dirname(path),
      contents: `
        import { loadYoga } from ${JSON.stringify(path)};
        import constants from ${JSON.stringify(join(dirname(path), "generated/YGEnums.js"))};
        const yoga = { ...constants };
        export const load = async () => void Object.assign(yoga, await loadYoga());
        export default yoga;
      `,
    }));
  },
};

const CLIENT = "@kubernetes/client-node";
const FOLDER = dirname(createRequire(import.meta.url).resolve(CLIENT));

export const KUBE_CONFIG_CHUNK = "kube-config.cjs";

/** For the chunks that import it. */
export const kubeConfigApart: Plugin = {
  name: "kube-config-apart",
  setup(bundling) {
    const path = `./${KUBE_CONFIG_CHUNK}`;
    bundling.onResolve({ filter: /^(?:@kubernetes\/client-node|js-yaml)$/ }, () => ({ path, external: true }));
  },
};

/**
 * The client's API classes, their models and undici, which sends its requests, are a megabyte and twenty milliseconds
 * of a start. Our own requests go through src/cluster/api/http-client.ts, with the options of a kubeconfig.
 */
const withoutApi: Plugin = {
  name: "without-api",
  setup(bundling) {
    bundling.onResolve({ filter: /^(?:undici|\.\/gen\/(?:index|rxjsStub)\.js)$/ }, ({ path, importer }) =>
      dirname(importer) === FOLDER ? { path, namespace: "left-out" } : undefined,
    );
    bundling.onLoad({ filter: /.*/, namespace: "left-out" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** The names that src/cluster imports of either. */
const EXPORTS = { KubeConfig: join(FOLDER, "config.js"), load: "js-yaml" };

export const KUBE_CONFIG: BuildOptions = {
  stdin: {
    contents: Object.entries(EXPORTS)
      .map(([name, module]) => `export { ${name} } from ${JSON.stringify(module)};`)
      .join("\n"),
    resolveDir: FOLDER,
  },
  plugins: [withoutApi],
};

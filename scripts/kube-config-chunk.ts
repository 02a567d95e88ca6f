/** Bundles the only part of the Kubernetes client that src/cluster uses, reading a kubeconfig. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";

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

/**
 * Puts assets into a copy of a node, with pkg. It is a process of its own, because pkg looks for node in the home
 * folder, works in the folder for temporary files and changes the current one. Its only argument is a PackRequest as
 * JSON.
 */
import { existsSync } from "node:fs";
import sea from "@yao-pkg/pkg/lib-es5/sea.js";
import { EXEC_ARGV, type Target } from "./targets.ts";

export interface PackRequest {
  readonly target: Pick<Target, "platform" | "arch">;
  readonly nodeVersion: string;
  /** The script that starts, relative to the folder that pkg makes: its path ends up in the executable. */
  readonly main: string;
  readonly assets: Readonly<Record<string, string>>;
  readonly output: string;
}

const PLATFORMS = { linux: "linux", darwin: "macos", win32: "win" } as const;

const { target, nodeVersion, main, assets, output } = JSON.parse(process.argv[2] ?? "") as PackRequest;
const config = {
  main,
  assets,
  disableExperimentalSEAWarning: true,
  useSnapshot: false,
  // For the script that starts, which is small; the bundles have their caches among the assets.
  useCodeCache: false,
  execArgv: EXEC_ARGV,
  // NODE_OPTIONS belong to the caller: in a CI job they often load a script that does not exist here.
  execArgvExtension: "none",
};
await sea.default(import.meta.filename, {
  targets: [
    {
      platform: PLATFORMS[target.platform as keyof typeof PLATFORMS],
      arch: target.arch,
      nodeRange: `node${nodeVersion}`,
      output,
    },
  ] as never,
  // macOS runs only signed executables.
  signature: target.platform === "darwin",
  seaConfig: config,
});
if (!existsSync(output)) throw new Error("pkg ended without an error and made no file");

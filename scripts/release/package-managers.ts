/** What package managers install executables by: a formula of Homebrew, and krew's manifest of a kubectl plugin. */
import { toYaml } from "../../src/krm/yaml/write.ts";
import type { Target } from "../binary/targets.ts";

/** An archive of an executable. */
export interface ArchiveEntry {
  readonly target: Target;
  /** The URL of the download. */
  readonly url: string;
  readonly sha256: string;
}

const BREW_SYSTEMS = { linux: "on_linux", darwin: "on_macos" } as const;
const BREW_MACHINES = { x64: "on_intel", arm64: "on_arm" } as const;

/** Installs the executable for the machine. */
export function homebrewFormula(archives: readonly ArchiveEntry[], version: string, homepage: string): string {
  const systems = (Object.keys(BREW_SYSTEMS) as (keyof typeof BREW_SYSTEMS)[]).flatMap((platform) => {
    const own = archives.filter(({ target }) => target.platform === platform);
    return own.length === 0 ? [] : [block(BREW_SYSTEMS[platform], own.flatMap(download))];
  });
  const onlyLinux = archives.every(({ target }) => target.platform !== "darwin");
  const lines = [
    `desc "Shows what Karpenter makes of NodePools; renders AutoNodePolicy"`,
    `homepage "${homepage}"`,
    `version "${version}"`,
    `license "Apache-2.0"`,
    ...(onlyLinux ? ["", "depends_on :linux"] : []),
    ...systems.flatMap((lines) => ["", ...lines]),
    "",
    ...block(
      "def install",
      [
        'bin.install "anp"',
        'doc.install "licenses.txt", "node-LICENSE"',
        'generate_completions_from_executable(bin/"anp", "completion")',
      ],
      "",
    ),
    "",
    ...block("test", ['assert_equal version.to_s, shell_output("#{bin}/anp --version").strip']),
  ];
  return `${block("class Anp < Formula", lines, "").join("\n")}\n`;
}

function download({ target, url, sha256 }: ArchiveEntry): string[] {
  return block(BREW_MACHINES[target.arch], [`url "${url}"`, `sha256 "${sha256}"`]);
}

function block(head: string, lines: readonly string[], opening = " do"): string[] {
  return [`${head}${opening}`, ...lines.map((line) => (line === "" ? "" : `  ${line}`)), "end"];
}

const KREW_SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };
const KREW_MACHINES = { x64: "amd64", arm64: "arm64" } as const;

/** After `kubectl krew install anp` there is `kubectl anp`. */
export function krewManifest(archives: readonly ArchiveEntry[], version: string, homepage: string): string {
  return toYaml({
    apiVersion: "krew.googlecontainertools.github.com/v1alpha2",
    kind: "Plugin",
    metadata: { name: "anp" },
    spec: {
      version: `v${version}`,
      homepage,
      shortDescription: "Show what Karpenter makes of NodePools",
      description: [
        "Checks and explains Karpenter's NodePools, and says what a change does to nodes. Renders a provider's",
        "AutoNodePolicy and the wrappers of an OpenShift hosted cluster to NodePools, and applies them in a loop.",
        "",
      ].join("\n"),
      platforms: archives.map(({ target, url, sha256 }) => {
        const bin = target.platform === "win32" ? "anp.exe" : "anp";
        return {
          selector: { matchLabels: { os: KREW_SYSTEMS[target.platform], arch: KREW_MACHINES[target.arch] } },
          uri: url,
          sha256,
          bin,
          files: [bin, "LICENSE", "licenses.txt", "node-LICENSE"].map((from) => ({ from, to: "." })),
        };
      }),
    },
  });
}

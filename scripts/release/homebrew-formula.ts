/** Writes a Homebrew formula that installs the executable for the machine. */
import type { ArchiveEntry } from "./archive-entry.ts";

const SYSTEMS = { linux: "on_linux", darwin: "on_macos" } as const;
const MACHINES = { x64: "on_intel", arm64: "on_arm" } as const;

export function homebrewFormula(archives: readonly ArchiveEntry[], version: string, homepage: string): string {
  const systems = (Object.keys(SYSTEMS) as (keyof typeof SYSTEMS)[]).flatMap((platform) => {
    const own = archives.filter(({ target }) => target.platform === platform);
    return own.length === 0 ? [] : [block(SYSTEMS[platform], own.flatMap(download))];
  });
  const onlyLinux = archives.every(({ target }) => target.platform !== "darwin");
  const lines = [
    `desc "Renders HyperShift's AutoNodePolicy to Karpenter manifests"`,
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
  return block(MACHINES[target.arch], [`url "${url}"`, `sha256 "${sha256}"`]);
}

function block(head: string, lines: readonly string[], opening = " do"): string[] {
  return [`${head}${opening}`, ...lines.map((line) => (line === "" ? "" : `  ${line}`)), "end"];
}

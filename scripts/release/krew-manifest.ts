/** Writes krew's manifest of a kubectl plugin: after `kubectl krew install anp` there is `kubectl anp`. */
import { toYaml } from "../../src/krm/write.ts";
import type { ArchiveEntry } from "./archive-entry.ts";

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };
const MACHINES = { x64: "amd64", arm64: "arm64" } as const;

export function krewManifest(archives: readonly ArchiveEntry[], version: string, homepage: string): string {
  return toYaml({
    apiVersion: "krew.googlecontainertools.github.com/v1alpha2",
    kind: "Plugin",
    metadata: { name: "anp" },
    spec: {
      version: `v${version}`,
      homepage,
      shortDescription: "Render AutoNodePolicy to Karpenter manifests",
      description: [
        "Renders a service provider's AutoNodePolicy and the wrappers of an OpenShift hosted cluster to the Karpenter",
        "manifests that it should run; checks and explains them; applies them in a loop.",
        "",
      ].join("\n"),
      platforms: archives.map(({ target, url, sha256 }) => {
        const bin = target.platform === "win32" ? "anp.exe" : "anp";
        return {
          selector: { matchLabels: { os: SYSTEMS[target.platform], arch: MACHINES[target.arch] } },
          uri: url,
          sha256,
          bin,
          files: [bin, "LICENSE", "licenses.txt", "node-LICENSE"].map((from) => ({ from, to: "." })),
        };
      }),
    },
  });
}

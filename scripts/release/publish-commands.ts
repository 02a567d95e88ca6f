/** The shell commands to publish a release, run in its folder. */
import { IMAGES } from "../image/images.ts";
import type { Missing } from "./build-release.ts";

export function publishCommands(version: string, missing: readonly Missing[]): string {
  const images = `anp-${version}-images.oci.tar`;
  const copies = missing.some(({ name }) => name === images)
    ? []
    : IMAGES.map(
        ({ name }) =>
          `skopeo copy --all oci-archive:${images}:${name}:${version} docker://registry.example.com/${name}:${version}`,
      );
  return [
    "sha256sum --check SHA256SUMS",
    `git tag -a v${version} -F release-notes.md && git push origin v${version}`,
    `npm publish anp-${version}.tgz`,
    ...copies,
    `# upload anp-${version}*, SHA256SUMS and release-notes.md to the folder of --base-url`,
    "# anp.rb: Formula/anp.rb of your Homebrew tap; anp.yaml: plugins/anp.yaml of a krew index",
    "",
  ].join("\n");
}

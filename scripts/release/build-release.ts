/** Makes all files of a release in one folder; files that cannot be made here are listed with a reason. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildBinary } from "../binary/build-binary.ts";
import { nodePackage } from "../binary/node-package.ts";
import { TARGETS } from "../binary/targets.ts";
import { buildFolder, ROOT, Unavailable } from "../build-folder.ts";
import type { Commit } from "../commit.ts";
import { debianLibraries } from "../debian-libraries.ts";
import { buildImages, type Executable } from "../image/build-images.ts";
import { IMAGES } from "../image/images.ts";
import { archiveName, executableArchive, tar } from "./archives.ts";
import { type ArchiveEntry, homebrewFormula, krewManifest } from "./package-managers.ts";
import { type Component, libraryComponents, nodeComponent, sbom } from "./sbom.ts";

export interface ReleaseOptions {
  readonly version: string;
  readonly commit: Commit;
  readonly notes: string;
  /** The folder for downloads. */
  readonly baseUrl: string;
  readonly homepage: string;
  /** A folder with archives that were made on other machines. */
  readonly also: string | undefined;
  readonly folder: string;
}

export interface Missing {
  readonly name: string;
  readonly reason: string;
}

export async function buildRelease(options: ReleaseOptions): Promise<readonly Missing[]> {
  const { version, commit, folder, notes } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const missing: Missing[] = [];
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  execFileSync("npm", pack, { cwd: ROOT, stdio: "ignore", shell: process.platform === "win32" });
  const executables: Executable[] = [];
  const archives: ArchiveEntry[] = [];
  const nodes: Component[] = [];
  for (const target of TARGETS) {
    const file = join(folder, archiveName(target, version));
    try {
      const made = options.also === undefined ? undefined : join(options.also, archiveName(target, version));
      if (made !== undefined && existsSync(made)) cpSync(made, file);
      else {
        const path = await buildBinary(target, buildFolder("binary"));
        executables.push({ target, path });
        writeFileSync(file, executableArchive(target, path, commit.time));
      }
      nodes.push(nodeComponent(target, nodePackage(target)));
      archives.push({ target, url: `${options.baseUrl}/${archiveName(target, version)}`, sha256: sha256(file) });
    } catch (error) {
      missing.push({ name: archiveName(target, version), reason: reasonOf(error) });
    }
  }
  const images = imagesName(version);
  const libraries: Component[] = [];
  try {
    const linux = executables.filter(({ target }) => target.platform === "linux");
    if (linux.length === 0) throw new Unavailable("there is no executable for Linux");
    writeFileSync(join(folder, images), imagesArchive(linux, options));
    for (const { target } of linux) libraries.push(...libraryComponents(target.arch, debianLibraries(target.arch)));
  } catch (error) {
    missing.push({ name: images, reason: reasonOf(error) });
  }
  if (archives.length > 0) {
    writeFileSync(join(folder, "anp.rb"), homebrewFormula(archives, version, options.homepage));
    writeFileSync(join(folder, "anp.yaml"), krewManifest(archives, version, options.homepage));
  }
  writeFileSync(join(folder, `anp-${version}.cdx.json`), sbom(commit.time, [...nodes, ...libraries]));
  writeFileSync(join(folder, "release-notes.md"), notes);
  const sums = readdirSync(folder)
    .toSorted()
    .map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  return missing;
}

function imagesName(version: string): string {
  return `anp-${version}-images.oci.tar`;
}

function imagesArchive(executables: readonly Executable[], { version, commit }: ReleaseOptions): Buffer {
  const layout = join(buildFolder(), "image");
  buildImages(executables, { version, ...commit }, layout);
  const names = readdirSync(layout, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(layout.length + 1))
    .toSorted();
  return tar(
    names.map((name) => ({ name, bytes: readFileSync(join(layout, name)) })),
    commit.time,
  );
}

export function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function reasonOf(error: unknown): string {
  if (error instanceof Unavailable) return error.message;
  throw error;
}

/** The shell commands that publish a release, run in its folder. */
export function publishCommands(version: string, missing: readonly Missing[]): string {
  const images = imagesName(version);
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
    `# upload anp-${version}*, SHA256SUMS and release-notes.md to the release of the tag, or to the folder of --base-url`,
    "# anp.rb: Formula/anp.rb of your Homebrew tap; anp.yaml: plugins/anp.yaml of a krew index",
    "",
  ].join("\n");
}

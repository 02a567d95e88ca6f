/** Builds every image for every architecture as one OCI layout: the same bytes for the same commit. */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nodePackage } from "../binary/node-package.ts";
import type { Target } from "../binary/targets.ts";
import { buildFolder, ROOT } from "../build-folder.ts";
import { debianLibraries } from "../debian-libraries.ts";
import { Buildah, type Labels, type Part } from "./buildah.ts";
import { type Image, IMAGES } from "./images.ts";

export interface Executable {
  readonly target: Target;
  readonly path: string;
}

/** @throws Unavailable */
export function buildImages(executables: readonly Executable[], labels: Labels, layout: string): void {
  const work = mkdtempSync(join(buildFolder("work"), "images-"));
  try {
    const buildah = new Buildah(join(work, "store"), labels);
    const roots = executables.map(({ target, path }): Part => {
      const root = join(work, `root-${target.arch}`);
      makeRootFolder(target, path, root);
      dated(root, labels.time);
      return { arch: target.arch, root, own: undefined };
    });
    rmSync(layout, { recursive: true, force: true });
    mkdirSync(dirname(layout), { recursive: true });
    for (const image of IMAGES) {
      const own = ownFolder(image, join(work, image.name));
      if (own !== undefined) dated(own, labels.time);
      buildah.build(
        image,
        roots.map((part) => ({ ...part, own })),
        layout,
      );
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Files of this image only; undefined if there are none. */
function ownFolder({ files, folders }: Image, folder: string): string | undefined {
  for (const [place, file] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(place)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, place));
  }
  for (const name of folders) mkdirSync(join(folder, name), { recursive: true });
  return Object.keys(files).length + folders.length === 0 ? undefined : folder;
}

/** Folders after their content. */
function dated(folder: string, time: number): void {
  execFileSync("find", [folder, "-depth", "-exec", "touch", "-h", "-d", `@${time}`, "{}", "+"]);
}

const FILES: Readonly<Record<string, string>> = {
  "etc/passwd": [
    "root:x:0:0:root:/:/nonexistent",
    "argocd:x:999:999:argocd:/home/argocd:/nonexistent",
    "nobody:x:65534:65534:nobody:/tmp:/nonexistent",
    "anp:x:65532:65532:anp:/tmp:/nonexistent",
    "",
  ].join("\n"),
  "etc/group": "root:x:0:\nargocd:x:999:\nnogroup:x:65534:\nanp:x:65532:\n",
  // As in every distribution: /etc/hosts first.
  "etc/nsswitch.conf": "hosts: files dns\n",
};

/** The file system of an image: the executable, its libraries, and files that a process needs. */
function makeRootFolder(target: Target, binary: string, folder: string): void {
  const { folder: libraries, packages } = debianLibraries(target.arch);
  for (const name of readdirSync(libraries).filter((entry) => entry !== "packages.txt"))
    cpSync(join(libraries, name), join(folder, name), { recursive: true });
  put(join(folder, "usr/bin/anp"), (path) => cpSync(binary, path));
  const licences = join(folder, "usr/share/doc/anp");
  put(join(licences, "LICENSE"), (path) => cpSync(join(ROOT, "LICENSE"), path));
  put(join(licences, "licenses.txt"), (path) => cpSync(join(ROOT, "dist/licenses.txt"), path));
  put(join(licences, "node-LICENSE"), (path) => cpSync(nodePackage(target).license, path));
  put(join(licences, "debian-packages.txt"), (path) => writeFileSync(path, `${packages.join("\n")}\n`));
  for (const [path, text] of Object.entries(FILES)) put(join(folder, path), (file) => writeFileSync(file, text));
  mkdirSync(join(folder, "tmp"));
  chmodSync(join(folder, "tmp"), 0o1777);
}

function put(path: string, write: (path: string) => void): void {
  mkdirSync(dirname(path), { recursive: true });
  write(path);
}

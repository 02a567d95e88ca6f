/** Builds every image for every architecture as one OCI layout: the same bytes for the same commit. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Target } from "../binary/targets.ts";
import { buildFolder, ROOT } from "../build-folder.ts";
import { Buildah, type Labels, type Part } from "./buildah.ts";
import { type Image, IMAGES } from "./images.ts";
import { makeRootFolder } from "./root-folder.ts";

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

/** Builds images from folders with buildah, from scratch and without a registry. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../binary/targets.ts";
import { Unavailable } from "../build-folder.ts";
import type { Image } from "./images.ts";

/** The architecture as images name it. */
export const ARCHITECTURES = { x64: "amd64", arm64: "arm64" } as const;

export interface Labels {
  readonly version: string;
  readonly revision: string | undefined;
  /** Seconds since 1970; the time of every file as well. */
  readonly time: number;
}

export interface Part {
  readonly arch: Target["arch"];
  /** The layer that all images of that architecture share. */
  readonly root: string;
  /** Files and user of this image only. */
  readonly own: string | undefined;
}

/** With a storage of its own, which is deleted with the folder. */
export class Buildah {
  readonly #store: string;
  readonly #labels: Labels;
  readonly #bases = new Set<string>();

  /** @throws Unavailable */
  constructor(work: string, labels: Labels) {
    if (spawnSync("buildah", ["--version"]).status !== 0)
      throw new Unavailable("buildah is missing (Debian's package buildah)");
    this.#store = work;
    this.#labels = labels;
    mkdirSync(join(work, "root"), { recursive: true });
  }

  /** Adds the image for all architectures to the layout, as `<name>:<version>`. */
  build(image: Image, parts: readonly Part[], layout: string): void {
    const list = `list-${image.name}`;
    this.#run("manifest", "create", list);
    for (const part of parts) {
      const { arch, root, own } = part;
      const whole = this.#single(`${image.name}-${arch}`);
      // A separate layer for this image's own files: the first layer is the same for all of them.
      const container = this.#from(own === undefined ? "scratch" : this.#base(part), arch);
      this.#configure(container, image, arch);
      if (own === undefined) this.#commit(container, whole, root, 0);
      else this.#commit(container, whole, own, image.user);
      this.#run("manifest", "add", list, whole);
    }
    const name = `${image.name}:${this.#labels.version}`;
    this.#run("manifest", "push", "--all", "--quiet", "--format", "oci", list, `oci:${layout}:${name}`);
  }

  /** By its name in the storage, which the images made from it carry. */
  #base({ arch, root }: Part): string {
    const name = `anp-base-${arch}`;
    if (!this.#bases.has(arch)) this.#commit(this.#from("scratch", arch), name, root, 0);
    this.#bases.add(arch);
    return name;
  }

  #single(name: string): string {
    return `oci:${join(this.#store, "single")}:${name}`;
  }

  #from(base: string, arch: Target["arch"]): string {
    return this.#run("from", "--quiet", "--arch", ARCHITECTURES[arch], base);
  }

  #configure(container: string, { title, user, entrypoint }: Image, arch: Target["arch"]): void {
    const { version, revision } = this.#labels;
    const labels = { title, version, licenses: "Apache-2.0", ...(revision === undefined ? {} : { revision }) };
    const options = [
      ["--os", "linux", "--arch", ARCHITECTURES[arch]],
      ["--user", `${user}:${user}`, "--workingdir", "/", "--env", "PATH=/usr/bin"],
      ["--entrypoint", JSON.stringify(entrypoint), "--cmd", ""],
      ...Object.entries(labels).map(([name, value]) => ["--label", `org.opencontainers.image.${name}=${value}`]),
    ];
    this.#run("config", ...options.flat(), container);
  }

  #commit(container: string, to: string, folder: string, user: number): void {
    this.#run("add", "--quiet", "--chown", `${user}:${user}`, container, folder, "/");
    const same = ["--timestamp", String(this.#labels.time), "--omit-history", "--format", "oci"];
    this.#run("commit", "--quiet", "--rm", "--disable-compression=false", ...same, container, to);
  }

  #run(...args: readonly string[]): string {
    const store = [
      "--storage-driver",
      "vfs",
      "--root",
      join(this.#store, "root"),
      "--runroot",
      join(this.#store, "run"),
    ];
    return execFileSync("buildah", [...store, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }).trim();
  }
}

/** An OCI layout as a registry and a runtime read it: a name and an architecture in, configuration and file system out. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string; readonly os: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface ImageConfig {
  readonly created: string;
  readonly architecture: string;
  readonly os: string;
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd?: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
  };
}

interface Index {
  readonly manifests: readonly Descriptor[];
}

interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

export class Layout {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  names(): string[] {
    const { manifests } = JSON.parse(readFileSync(join(this.#folder, "index.json"), "utf8")) as Index;
    return manifests.map(nameOf).toSorted();
  }

  /** What the index of an image holds. */
  architectures(name: string): string[] {
    return this.#images(name).map(({ platform }) => `${platform?.os}/${platform?.architecture}`);
  }

  image(name: string, architecture: string): { readonly config: ImageConfig; readonly layers: readonly Descriptor[] } {
    const found = this.#images(name).find(({ platform }) => platform?.architecture === architecture);
    if (found === undefined) throw new Error(`${name} has no image for ${architecture}`);
    const { config, layers } = this.#json(found) as Manifest;
    return { config: this.#json(config) as ImageConfig, layers };
  }

  /** Every layer in turn, with the owners that it says: for root only. */
  unpack(name: string, architecture: string, root: string): void {
    mkdirSync(root, { recursive: true });
    for (const layer of this.image(name, architecture).layers) {
      this.#read(layer);
      execFileSync("tar", ["-xzpf", this.#path(layer), "--numeric-owner", "-C", root]);
    }
  }

  #images(name: string): readonly Descriptor[] {
    const { manifests } = JSON.parse(readFileSync(join(this.#folder, "index.json"), "utf8")) as Index;
    const index = manifests.find((descriptor) => nameOf(descriptor) === name);
    if (index === undefined) throw new Error(`the layout has no ${name}`);
    return (this.#json(index) as Index).manifests;
  }

  #json(descriptor: Descriptor): unknown {
    return JSON.parse(this.#read(descriptor).toString());
  }

  #read(descriptor: Descriptor): Buffer {
    const bytes = readFileSync(this.#path(descriptor));
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    if (digest !== descriptor.digest || bytes.length !== descriptor.size)
      throw new Error(`${descriptor.digest} is broken`);
    return bytes;
  }

  #path({ digest }: Descriptor): string {
    return join(this.#folder, "blobs", digest.replace(":", "/"));
  }
}

function nameOf({ annotations }: Descriptor): string {
  return annotations?.["org.opencontainers.image.ref.name"] ?? "";
}

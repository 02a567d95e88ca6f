/** The entries of a commit in, its folders and where its links lead to out. */
import type { GitTree, TreeEntry } from "./tree.ts";
import { MAX_INPUT_BYTES } from "../input-bytes.ts";

/** As many as the system follows: a link may lead to itself. */
const MAX_LINKS = 40;

/** In bytes, as systems bound it (`PATH_MAX`). */
const MAX_TARGET = 4096;

/** In bytes: what thousands of folders may have each. A longer one is read by itself. */
const MAX_SHORT = 4096;

export class GitIndex {
  readonly #tree: GitTree;
  readonly #base: string;
  readonly #entries: ReadonlyMap<string, TreeEntry>;
  readonly #children = new Map<string, string[]>();
  #whole: GitIndex | undefined;
  #ignores: ReadonlyMap<string, Buffer> | undefined;
  #targets: ReadonlyMap<string, Buffer> | undefined;

  constructor(tree: GitTree, base: string) {
    this.#tree = tree;
    this.#base = base;
    this.#entries = tree.list(base);
    for (const path of this.#entries.keys()) {
      const slash = path.lastIndexOf("/");
      const parent = slash === -1 ? "" : path.slice(0, slash);
      const siblings = this.#children.get(parent);
      if (siblings === undefined) this.#children.set(parent, [path.slice(slash + 1)]);
      else siblings.push(path.slice(slash + 1));
    }
  }

  covers(path: string): boolean {
    return this.#base === "" || path === this.#base || path.startsWith(`${this.#base}/`);
  }

  entry(path: string): TreeEntry | undefined {
    return path === "" ? ROOT : (this.covers(path) ? this : this.#all()).#entries.get(path);
  }

  children(path: string): readonly string[] {
    const names = (this.covers(path) ? this : this.#all()).#children.get(path) ?? [];
    return names.toSorted((a, b) => (a < b ? -1 : 1));
  }

  /** The bytes of a `.krmignore`, or how many they are where they are too many; undefined for what the clone lacks. */
  ignoreBytes(id: string): Buffer | number | undefined {
    this.#ignores ??= this.#readIgnores();
    return this.#ignores.get(id) ?? this.#readOne(id);
  }

  /** Where links lead to; undefined for what is not there, a text for a link that leads nowhere. */
  resolve(path: string): { path: string; entry: TreeEntry } | string | undefined {
    let rest = path.split("/").filter((part) => part !== "");
    let at = "";
    for (let links = 0; rest.length > 0;) {
      const [part = "", ...more] = rest;
      const next = below(at, part);
      const entry = this.entry(next);
      if (entry === undefined) return links > 0 ? NOWHERE : undefined;
      // What a submodule holds is another tree's.
      if (entry.type === "submodule" && more.length > 0) return LEADS_INTO_SUBMODULE;
      rest = more;
      at = next;
      if (entry.type !== "link") continue;
      links += 1;
      if (links > MAX_LINKS) return "is a link that leads back to itself";
      const target = this.#target(entry.id);
      if (target === undefined) return LACKING;
      const parts = targetParts(target, at, this.#tree.root);
      if (parts === undefined) return LEADS_OUT;
      rest = [...parts, ...more];
      at = "";
    }
    const entry = this.entry(at);
    return entry && { path: at, entry };
  }

  /** Undefined for what a partial clone lacks; what no system takes for a link's target leads nowhere. */
  #target(id: string): string | undefined {
    this.#targets ??= this.#readTargets();
    return this.#targets.get(id)?.toString("utf8");
  }

  /** All at once: each folder may have one. */
  #readIgnores(): ReadonlyMap<string, Buffer> {
    const files = [...this.#entries].filter(([path, { type }]) => type === "file" && IGNORE_FILE.test(path));
    const sizes = [...this.#tree.sizes(files.map(([, { id }]) => id))];
    return this.#tree.read(sizes.filter(([, size]) => size <= MAX_SHORT).map(([id]) => id));
  }

  #readOne(id: string): Buffer | number | undefined {
    const size = this.#tree.sizes([id]).get(id);
    return size === undefined || size > MAX_INPUT_BYTES ? size : this.#tree.read([id]).get(id);
  }

  #readTargets(): ReadonlyMap<string, Buffer> {
    const links = [...this.#all().#entries.values()].filter(({ type }) => type === "link").map(({ id }) => id);
    const sizes = [...this.#tree.sizes(links)];
    const short = sizes.filter(([, size]) => size <= MAX_TARGET).map(([id]) => id);
    const long = sizes.filter(([, size]) => size > MAX_TARGET).map(([id]) => [id, Buffer.from("\0")] as const);
    return new Map([...this.#tree.read(short), ...long]);
  }

  /** A link may lead anywhere. */
  #all(): GitIndex {
    this.#whole ??= this.#base === "" ? this : new GitIndex(this.#tree, "");
    return this.#whole;
  }
}

const IGNORE_FILE = /(?:^|\/)\.krmignore$/;
const ROOT: TreeEntry = { type: "folder", id: "" };
export const LACKING = "is not in this clone, which has only some of the files";
export const LEADS_OUT = "is a link that leads out of the repository, of which a commit knows nothing";
const NOWHERE = "is a link to what does not exist";
const LEADS_INTO_SUBMODULE = "leads into a submodule: give the path of the submodule itself";

/** The parts from the root of the tree; undefined when they lead out of it. */
function targetParts(target: string, link: string, root: string): string[] | undefined {
  const absolute = target.startsWith("/");
  if (absolute && target !== root && !target.startsWith(`${root}/`)) return undefined;
  const parts = absolute ? [] : link.split("/").slice(0, -1);
  for (const part of (absolute ? target.slice(root.length) : target).split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts;
}

export function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

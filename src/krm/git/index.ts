/** The entries of a commit as a tree: folders, files, and resolved links. */
import { FETCH_ALL } from "./run.ts";
import type { GitTree, TreeEntry } from "./tree.ts";
import { MAX_INPUT_BYTES } from "../read/input-bytes.ts";
import { below, Refusal } from "../read/file-tree.ts";
import { IS_MISSING, LEADS_BACK } from "../read/read-file.ts";

/** As many links as the system follows: a link may lead to itself. */
const MAX_LINKS = 40;

/** In bytes, the limit of systems (`PATH_MAX`). */
const MAX_TARGET = 4096;

/** In bytes: small enough to read from thousands of folders at once. A longer file is read alone. */
const MAX_SHORT = 4096;

export class GitIndex {
  readonly tree: GitTree;
  readonly #base: string;
  readonly #entries: ReadonlyMap<string, TreeEntry>;
  readonly #children = new Map<string, string[]>();
  #whole: GitIndex | undefined;
  #ignores: ReadonlyMap<string, Buffer> | undefined;
  #targets: ReadonlyMap<string, Buffer> | undefined;

  constructor(tree: GitTree, base: string) {
    this.tree = tree;
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

  entry(path: string): TreeEntry | undefined {
    return path === "" ? ROOT : this.#covering(path).#entries.get(path);
  }

  /** The names in a folder. */
  children(path: string): readonly string[] {
    return this.#covering(path).#children.get(path) ?? [];
  }

  /** The bytes of a `.krmignore`, or its size if it is too large. */
  ignoreBytes(id: string): Buffer | number | Refusal {
    this.#ignores ??= this.#readIgnores();
    return this.#ignores.get(id) ?? this.#readOne(id) ?? LACKING;
  }

  /** The targets of links; undefined for missing ones. */
  resolve(path: string): { path: string; entry: TreeEntry } | Refusal | undefined {
    let rest = path.split("/").filter((part) => part !== "");
    let at = "";
    for (let links = 0; rest.length > 0;) {
      const [part = "", ...more] = rest;
      const next = below(at, part);
      const entry = this.entry(next);
      if (entry === undefined) return links > 0 ? NOWHERE : undefined;
      // A submodule's content belongs to another tree.
      if (entry.type === "submodule" && more.length > 0) return LEADS_INTO_SUBMODULE;
      rest = more;
      at = next;
      if (entry.type !== "link") continue;
      links += 1;
      if (links > MAX_LINKS) return ENDLESS;
      const target = this.#target(entry.id);
      if (target === undefined) return LACKING;
      const parts = targetParts(target, at, this.tree.root);
      if (parts === undefined) return LEADS_OUT;
      rest = [...parts, ...more];
      at = "";
    }
    const entry = this.entry(at);
    return entry && { path: at, entry };
  }

  /** Undefined if a partial clone lacks the blob; a target that no system accepts leads nowhere. */
  #target(id: string): string | undefined {
    this.#targets ??= this.#readTargets();
    return this.#targets.get(id)?.toString("utf8");
  }

  /** Read all at once: each folder may have one. */
  #readIgnores(): ReadonlyMap<string, Buffer> {
    const files = [...this.#entries].filter(([path, { type }]) => type === "file" && IGNORE_FILE.test(path));
    const sizes = [...this.tree.sizes(files.map(([, { id }]) => id))];
    return this.tree.read(sizes.filter(([, size]) => size <= MAX_SHORT).map(([id]) => id));
  }

  #readOne(id: string): Buffer | number | undefined {
    const size = this.tree.sizes([id]).get(id);
    return size === undefined || size > MAX_INPUT_BYTES ? size : this.tree.read([id]).get(id);
  }

  #readTargets(): ReadonlyMap<string, Buffer> {
    const links = [...this.#all().#entries.values()].filter(({ type }) => type === "link").map(({ id }) => id);
    const sizes = [...this.tree.sizes(links)];
    const short = sizes.filter(([, size]) => size <= MAX_TARGET).map(([id]) => id);
    const long = sizes.filter(([, size]) => size > MAX_TARGET).map(([id]) => [id, Buffer.from("\0")] as const);
    return new Map([...this.tree.read(short), ...long]);
  }

  #covering(path: string): GitIndex {
    const base = this.#base;
    return base === "" || path === base || path.startsWith(`${base}/`) ? this : this.#all();
  }

  /** A link may have any target. */
  #all(): GitIndex {
    this.#whole ??= this.#base === "" ? this : new GitIndex(this.tree, "");
    return this.#whole;
  }
}

const IGNORE_FILE = /(?:^|\/)\.krmignore$/;
const ROOT: TreeEntry = { type: "folder", id: "" };
/** A link with an unknown target is not the same as a link to nothing. */
export const LACKING = unreadable("is not in this clone, which has only some of the files", FETCH_ALL);
const LEADS_OUT = new Refusal("link-outside", {
  message: "is a link that leads out of the repository, so the commit does not hold its target",
});
export const NOWHERE = new Refusal("file-unreadable", IS_MISSING);
const ENDLESS = new Refusal("file-unreadable", LEADS_BACK);
const LEADS_INTO_SUBMODULE = unreadable("leads into a submodule: give the path of the submodule itself");

export function unreadable(message: string, hint?: string): Refusal {
  return new Refusal("file-unreadable", { message, hint });
}

/** The parts from the root of the tree; undefined if they lead out of it. */
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

/** The entries of a commit in, its folders and where its links lead to out. */
import type { GitTree, TreeEntry } from "./git-tree.ts";

/** As many as the system follows: a link may lead to itself. */
const MAX_LINKS = 40;

export class GitIndex {
  readonly #tree: GitTree;
  readonly #base: string;
  readonly #entries: ReadonlyMap<string, TreeEntry>;
  readonly #children = new Map<string, string[]>();
  #whole: GitIndex | undefined;
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

  text(id: string): string {
    return this.#tree.read([id]).get(id)?.toString("utf8") ?? "";
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
      const parts = targetParts(this.#target(entry.id), at, this.#tree.root);
      if (parts === undefined) return "is a link that leads out of the repository, of which a commit knows nothing";
      rest = [...parts, ...more];
      at = "";
    }
    const entry = this.entry(at);
    return entry && { path: at, entry };
  }

  #target(id: string): string {
    this.#targets ??= this.#tree.read(
      [...this.#all().#entries.values()].filter(({ type }) => type === "link").map((link) => link.id),
    );
    return this.#targets.get(id)?.toString("utf8") ?? "";
  }

  /** A link may lead anywhere. */
  #all(): GitIndex {
    this.#whole ??= this.#base === "" ? this : new GitIndex(this.#tree, "");
    return this.#whole;
  }
}

const ROOT: TreeEntry = { type: "folder", id: "", size: 0 };
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

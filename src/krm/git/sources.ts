/** Reads paths in a commit as sources, by the rules of `read-tree.ts`. */
import { posix } from "node:path";
import type { Outcome } from "../findings/finding.ts";
import { GitIndex, LACKING, NOWHERE, unreadable } from "./index.ts";
import type { Opened } from "./tree.ts";
import {
  below,
  type Entry,
  type FilesBeside,
  type FileTree,
  type FileType,
  type Fits,
  Refusal,
  THROUGH_LINK,
} from "../read/file-tree.ts";
import { type Given, readTree } from "../read/read-tree.ts";
import type { Source } from "../places/source.ts";

export type GitPath = Opened & Pick<Given<At>, "trusted" | "config" | "ofPolicyDir" | "pattern">;

/** A path in the tree that links and submodules have led to. */
interface At {
  readonly index: GitIndex;
  readonly path: string;
}

/**
 * A path that the commit does not have gives nothing: everything in it is new since. Skipped entries and empty folders
 * of a commit are not reported: the new side reports them.
 * @param ref the commit as findings name it
 * @param notManifest a file that is not a manifest
 * @param more whether kustomizations are read too, or files of Terraform in place of manifests
 */
export function gitSources(
  ref: string,
  paths: readonly GitPath[],
  notManifest?: Opened,
  more: { readonly ofKustomize?: boolean; readonly ofTerraform?: boolean } = {},
): Outcome<Source[]> {
  const tree = new CommitTree(`${ref}:`);
  const given = paths.flatMap(({ place, trusted, config, ofPolicyDir, pattern, ...opened }) => {
    const at = indexed(opened);
    return at.index.resolve(at.path) === undefined
      ? []
      : [{ at, shown: at.path, place, trusted, config, pattern, ...(ofPolicyDir ? { ofPolicyDir } : {}) }];
  });
  const excluded = notManifest && tree.enter(indexed(notManifest));
  const { value, findings } = readTree(tree, given, {
    notManifests: new Set(excluded === undefined || excluded instanceof Refusal ? [] : [excluded.real]),
    ...more,
  });
  return { value, findings: findings.filter(({ code }) => code !== "file-skipped" && code !== "input-empty") };
}

/** Files of a commit beside given paths. */
export function filesInCommit(ref: string, paths: readonly GitPath[]): FilesBeside {
  const known = new Map(paths.map((path) => [path, new GitIndex(path.tree, path.path)]));
  const located = (place: string, folder: string) => {
    const opened = paths.find((one) => folder === one.place || folder.startsWith(below(one.place, "")));
    const near = opened ?? paths.find((one) => posix.dirname(one.place) === folder);
    if (near === undefined) return undefined;
    const path = posix.join(near.path, posix.relative(near.place, place));
    return { index: known.get(near)!, path: path === "." ? "" : path };
  };
  return {
    at: (place, { folder }) => {
      const at = located(place, folder);
      if (at === undefined || at.path.startsWith("..")) return { problem: "is outside the repository" };
      const found = at.index.resolve(at.path);
      if (found === undefined) return { problem: NOWHERE.words.message };
      if (found instanceof Refusal) return { problem: found.words.message };
      if (found.path !== at.path) return { problem: THROUGH_LINK };
      if (found.entry.type === "folder") return "folder";
      if (found.entry.type !== "file") return { problem: "is a submodule" };
      const bytes = at.index.ignoreBytes(found.entry.id);
      if (bytes instanceof Refusal) return { problem: bytes.words.message };
      return typeof bytes === "number" ? { problem: "is larger than anp reads" } : { bytes };
    },
    entriesOf: (place, { folder }) => {
      const at = located(place, folder);
      if (at === undefined || at.path.startsWith("..")) return "is outside the repository";
      return at.index.children(at.path).map((name) => {
        const { type } = at.index.entry(below(at.path, name))!;
        return { name, type: type === "submodule" ? "other" : type };
      });
    },
    fileOf: (place, { folder }) => `${ref}:${located(place, folder)?.path ?? place}`,
  };
}

/** Whether the commit has the path, even as a link without a target. */
export function standsInCommit(opened: Pick<Opened, "tree" | "path">): boolean {
  const { index, path } = indexed(opened);
  return index.resolve(path) !== undefined;
}

function indexed({ tree, path }: Pick<Opened, "tree" | "path">): At {
  return { index: new GitIndex(tree, path), path };
}

/**
 * A commit holds files, folders, links and submodules only. It knows nothing outside itself: a link is followed by its
 * text, and one without a target is treated as its name suggests. A submodule is another tree, and may be missing. Many
 * files are read at once: each run of git costs more than a file.
 */
class CommitTree implements FileTree<At> {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  entriesOf({ index, path: folder }: At): Entry<At>[] {
    return index.children(folder).map((name) => {
      const path = below(folder, name);
      const { type } = index.entry(path)!;
      return { name, type: type === "submodule" ? "folder" : type, at: { index, path } };
    });
  }

  typeOf({ index, path }: At): FileType {
    const found = index.resolve(path);
    return found === undefined || found instanceof Refusal || found.entry.type === "file" ? "file" : "folder";
  }

  enter({ index, path }: At): ReturnType<FileTree<At>["enter"]> {
    const found = index.resolve(path) ?? NOWHERE;
    if (found instanceof Refusal) return found;
    const { root } = index.tree;
    if (found.entry.type !== "submodule")
      return { at: { index, path: found.path }, real: posix.join(root, found.path) };
    const { id } = found.entry;
    const tree = index.tree.submodule(found.path, id);
    if (typeof tree === "object") return { at: { index: new GitIndex(tree, ""), path: "" }, real: tree.root };
    const [message, hint] = SUBMODULES[tree];
    return unreadable(`is a submodule whose commit ${id.slice(0, 12)} ${message}`, hint);
  }

  read({ index, path }: At): Buffer | number | Refusal {
    return index.ignoreBytes(index.entry(path)!.id);
  }

  readAll<File extends { readonly at: At }>(files: Iterable<File>, fits: Fits<File>): (readonly [File, Buffer])[] {
    const met = [...files].map((file) => ({ file, index: file.at.index, id: file.at.index.entry(file.at.path)!.id }));
    const idsByIndex = (some: typeof met) =>
      [...Map.groupBy(some, ({ index }) => index)].map(([index, of]) => [index, of.map(({ id }) => id)] as const);
    const sizes = new Map(idsByIndex(met).map(([index, ids]) => [index, index.tree.sizes(ids)]));
    const fitting = met.filter(({ file, index, id }) => fits(file, sizes.get(index)?.get(id) ?? LACKING));
    const bytes = new Map(idsByIndex(fitting).map(([index, ids]) => [index, index.tree.read(ids)]));
    return fitting.map(({ file, index, id }) => [file, bytes.get(index)!.get(id)!]);
  }
}

const SUBMODULES = {
  "not fetched": ["is not here", "git submodule update --init --recursive"],
  "not kept here": ["is in a repository inside its own folder, which anp does not read", "git submodule absorbgitdirs"],
} as const;

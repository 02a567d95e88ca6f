/** Paths in a commit to sources and findings, by the rules that `read.ts` has for files on disk. */
import { type Finding, findingInFile, type Outcome } from "../finding.ts";
import { below, GitIndex, LACKING, LEADS_OUT } from "./index.ts";
import { FETCH_ALL } from "./run.ts";
import type { GitTree } from "./tree.ts";
import { InputBytes } from "../input-bytes.ts";
import { isIgnored, type KrmIgnore, parseKrmIgnore } from "../krm-ignore.ts";
import { isOfOtherTools, mayHoldManifests } from "../manifest-names.ts";
import type { Source } from "../source.ts";

export interface GitPath {
  readonly tree: GitTree;
  /** From the root of the tree; `""` is the root. */
  readonly path: string;
  /** The path as findings name it: `main:shop/policy.yaml`. */
  readonly shown: string;
  /** Absolute, as in the work tree: it decides which hosted cluster governs a file. */
  readonly place: string;
  /** Whether the commit has it. */
  readonly present: boolean;
  readonly trusted: boolean;
  /** The file of `--config`. */
  readonly config: boolean;
  /** `--policy-dir`. */
  readonly ofPolicyDir?: boolean;
}

/** A path that the commit does not have gives nothing: everything in it is new since. */
export function gitSources(paths: readonly GitPath[]): Outcome<Source[]> {
  const walk = new Walk();
  for (const path of paths) walk.start(path);
  return { value: walk.sources(), findings: walk.findings };
}

/** One entry on the way, in whichever tree links and submodules have led to. */
interface Spot extends GitPath {
  readonly rules: readonly KrmIgnore[];
  /** The folders above it, by tree and path. */
  readonly above: readonly string[];
  readonly explicit: boolean;
}

interface Met {
  readonly spot: Spot;
  readonly id: string;
}

/** Links multiply what stands behind them. */
const MAX_FOLDERS = 100_000;

class Walk {
  readonly findings: Finding[] = [];
  readonly #files: Met[] = [];
  readonly #bytes = new InputBytes(this.findings);
  readonly #trees = new Map<GitTree, GitIndex>();
  readonly #seen = new Set<string>();
  #folders = 0;

  start(path: GitPath): void {
    this.#enter({ ...path, rules: [], above: [], explicit: true });
  }

  sources(): Source[] {
    const byTree = Map.groupBy(this.#files, ({ spot }) => spot.tree);
    const sizes = new Map([...byTree].map(([tree, files]) => [tree, tree.sizes(files.map(({ id }) => id))]));
    const fitting = this.#files.filter(({ spot, id }) => this.#fits(spot.shown, sizes.get(spot.tree)?.get(id)));
    const texts = new Map([...byTree.keys()].map((tree) => [tree, tree.read(idsOf(fitting, tree))]));
    return fitting.flatMap(({ spot, id }) => this.#source(spot, texts.get(spot.tree)!.get(id)!) ?? []);
  }

  /** Whether something of that size is read; undefined for what the clone lacks. */
  #fits(shown: string, size: number | undefined): boolean {
    if (this.#bytes.isFull) return false;
    if (size === undefined) this.#refuse("file-unreadable", shown, LACKING, FETCH_ALL);
    return size !== undefined && this.#bytes.fits(shown, size);
  }

  #source({ shown, place, explicit, trusted, config, ofPolicyDir }: Spot, bytes: Buffer): Source | undefined {
    const folder = place.slice(0, Math.max(1, place.lastIndexOf("/")));
    const text = this.#bytes.textOf(shown, bytes);
    if (text === undefined) return undefined;
    return { file: shown, folder, text, explicit, trusted, config, ...(ofPolicyDir ? { ofPolicyDir } : {}) };
  }

  #enter(spot: Spot): void {
    const tree = this.#indexOf(spot);
    const found = tree.resolve(spot.path);
    if (found === undefined) return;
    if (typeof found === "string") return this.#refuseWay(spot.shown, found);
    const { path, entry } = found;
    const here = `${spot.tree.root}\0${path}`;
    if (entry.type === "submodule") return this.#enterSubmodule({ ...spot, path }, entry.id);
    const folder = spot.place.slice(0, spot.place.lastIndexOf("/"));
    if (entry.type === "folder") {
      if (spot.above.includes(here) || !this.#firstVisit(`${spot.place}/`)) return;
      this.#readFolder({ ...spot, path, above: [...spot.above, here] }, tree);
    } else if (this.#firstVisit(`${folder}/${here}`)) this.#files.push({ spot: { ...spot, path }, id: entry.id });
  }

  #readFolder(spot: Spot, tree: GitIndex): void {
    this.#folders += 1;
    if (this.#folders > MAX_FOLDERS) {
      if (this.#folders === MAX_FOLDERS + 1)
        this.#refuse("input-limit", spot.shown, `is one of more than ${MAX_FOLDERS} folders; the others are not read`);
      return;
    }
    const rules = [...spot.rules, ...this.#krmIgnore(spot, tree)];
    for (const name of tree.children(spot.path)) {
      const inner = {
        path: below(spot.path, name),
        shown: `${spot.shown}${joint(spot.shown)}${name}`,
        place: `${spot.place}/${name}`,
      };
      const found = tree.resolve(inner.path);
      const isFolder = typeof found === "object" && found.entry.type !== "file";
      if (name.startsWith(".") || isIgnored(inner.place, isFolder, rules)) continue;
      // A link to nothing may be meant as either.
      if (typeof found === "string" && isIgnored(inner.place, true, rules)) continue;
      if (!isFolder && (isOfOtherTools(name) || !mayHoldManifests(name))) continue;
      this.#enter({ ...spot, ...inner, rules, explicit: false });
    }
  }

  #krmIgnore({ path, place, shown }: Spot, tree: GitIndex): KrmIgnore[] {
    const found = tree.resolve(below(path, ".krmignore"));
    const file = `${shown}${joint(shown)}.krmignore`;
    if (found === undefined || (typeof found === "object" && found.entry.type !== "file")) return [];
    if (typeof found === "string") this.#refuseWay(file, found);
    else {
      const bytes = tree.ignoreBytes(found.entry.id);
      const fits = this.#fits(file, typeof bytes === "number" ? bytes : bytes?.length);
      const text = fits && Buffer.isBuffer(bytes) ? this.#bytes.textOf(file, bytes) : undefined;
      if (text !== undefined) return [parseKrmIgnore(place, text)];
    }
    return [];
  }

  #enterSubmodule(spot: Spot, id: string): void {
    const tree = spot.tree.submodule(spot.path, id);
    if (typeof tree === "object") return this.#enter({ ...spot, tree, path: "" });
    const [message, hint] = SUBMODULES[tree];
    this.#refuse("file-unreadable", spot.shown, `is a submodule whose commit ${id.slice(0, 12)} ${message}`, hint);
  }

  #indexOf({ tree, path }: Spot): GitIndex {
    const known = this.#trees.get(tree);
    if (known?.covers(path)) return known;
    const made = known === undefined ? new GitIndex(tree, path) : new GitIndex(tree, "");
    this.#trees.set(tree, made);
    return made;
  }

  #firstVisit(place: string): boolean {
    if (this.#seen.has(place)) return false;
    this.#seen.add(place);
    return true;
  }

  /** A link whose target cannot be known is not one that leads nowhere. */
  #refuseWay(shown: string, message: string): undefined {
    const code = message === LEADS_OUT ? "link-outside" : "file-unreadable";
    this.#refuse(code, shown, message, message === LACKING ? FETCH_ALL : undefined);
  }

  #refuse(
    code: "file-unreadable" | "link-outside" | "input-limit",
    shown: string,
    message: string,
    hint?: string,
  ): undefined {
    this.findings.push(findingInFile(code, shown, { message, hint }));
  }
}

const SUBMODULES = {
  "not fetched": ["is not here", "git submodule update --init --recursive"],
  "not kept here": ["is in a repository of its own making, which anp does not ask", "git submodule absorbgitdirs"],
} as const;

/** `main:` is the root of a commit. */
function joint(shown: string): string {
  return shown.endsWith(":") || shown.endsWith("/") ? "" : "/";
}

function idsOf(files: readonly Met[], tree: GitTree): string[] {
  return files.filter(({ spot }) => spot.tree === tree).map(({ id }) => id);
}

/** The reading door, which alone reads manifests: paths and the standard input to sources. */
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { posix, resolve, sep } from "node:path";
import { type Finding, findingInFile, findingOnInput, type Outcome } from "./finding.ts";
import { InputBytes, MAX_INPUT_BYTES } from "./input-bytes.ts";
import { isIgnored, type KrmIgnore, parseKrmIgnore } from "./krm-ignore.ts";
import { isOfOtherTools, mayHoldManifests } from "./manifest-names.ts";
import { linkOutOn, Reach } from "./reach.ts";
import { readWithinLimit } from "./read-file.ts";
import type { Source } from "./source.ts";
import { whyUnreadable } from "./why-unreadable.ts";

export interface ReadRequest {
  /** Files and directories in the order given; `-` is the standard input. */
  readonly paths: readonly string[];
  /** The only place rules are read from, when given (`--policy-dir`). */
  readonly policyDir?: string | undefined;
  /** The file of a RenderConfig that the user names (`--config`). */
  readonly config?: string | undefined;
  /** A file that an option names for something else: wherever a PATH leads to it, it is no manifest. */
  readonly notManifest?: string | undefined;
  /** The folder that links may lead to beside what was given and its git repository. */
  readonly root?: string | undefined;
  /** Reads the standard input to its end. */
  readonly readStdin: () => Buffer;
}

/** Every source once in each folder that paths and links lead to; directories sorted by name. */
export function readSources(request: ReadRequest): Outcome<Source[]> {
  const given = [...request.paths, request.policyDir, request.config, request.root];
  const reach = new Reach(given.filter((path): path is string => path !== undefined && path !== "" && path !== "-"));
  const reader = new Reader(reach, request.notManifest);
  const trusted = request.policyDir === undefined;
  // First, so that a PATH which holds the file as well does not give it twice.
  if (request.config !== undefined) reader.readConfig(request.config);
  // First, so that a file which a PATH reaches as well is known as trusted.
  if (request.policyDir !== undefined) reader.readPolicyDir(request.policyDir);
  for (const path of request.paths) {
    if (path === "-") reader.readStream(request.readStdin, { explicit: true, trusted, config: false });
    else reader.readPath(path, trusted);
  }
  return { value: reader.sources, findings: reader.findings };
}

type Flags = Pick<Source, "explicit" | "trusted" | "config">;

/** The way down to a folder: what the `.krmignore` files leave out, the real folders above, and whether a link led here. */
interface Way {
  readonly rules: readonly KrmIgnore[];
  readonly above: readonly string[];
  readonly linked: boolean;
}

/** Links can lead out of the package, to the root of the file system, and multiply what stands behind them. */
const MAX_LINKED_FOLDERS = 10_000;

class Reader {
  readonly sources: Source[] = [];
  readonly findings: Finding[] = [];
  readonly #seen = new Set<string>();
  readonly #reach: Reach;
  readonly #bytes = new InputBytes(this.findings);
  #filesMet = 0;
  #inPolicyDir = false;
  #linkedFolders = 0;
  /** Its real path; undefined where it is not there: whoever reads it says so. */
  readonly #notManifest: string | undefined;

  constructor(reach: Reach, notManifest: string | undefined) {
    this.#reach = reach;
    this.#notManifest = notManifest === undefined ? undefined : realPathOf(notManifest);
  }

  readPath(given: string, trusted: boolean): void {
    if (given === "") {
      this.findings.push(findingOnInput("file-unreadable", EMPTY_PATH));
      return;
    }
    const path = withSlashes(given);
    const kind = this.#attempt(path, () => statSync(path));
    if (kind === undefined || this.#leadsOut(path)) return;
    if (kind.isDirectory()) this.#readFolder(path, trusted, { rules: [], above: [], linked: false });
    else this.#readFile(path, { explicit: true, trusted, config: false });
  }

  /** A folder without a manifest would turn every rule off in silence. */
  readPolicyDir(given: string): void {
    const before = { files: this.#filesMet, findings: this.findings.length };
    this.#inPolicyDir = true;
    this.readPath(given, true);
    this.#inPolicyDir = false;
    if (this.#filesMet > before.files) return;
    if (this.findings.slice(before.findings).some((finding) => finding.severity === "error")) return;
    const message = "holds no manifest, and rules are read only here (--policy-dir)";
    const hint = "check the path: manifests end in .yaml, .yml or .json";
    this.findings.push(findingInFile("input-empty", withSlashes(given), { message, hint }));
  }

  readConfig(given: string): void {
    if (given === "") this.findings.push(findingOnInput("file-unreadable", EMPTY_PATH));
    else if (!this.#leadsOut(withSlashes(given)))
      this.#readFile(withSlashes(given), { explicit: true, trusted: true, config: true });
  }

  readStream(read: () => Buffer, flags: Flags): void {
    const bytes = this.#attempt("<stdin>", read);
    if (bytes !== undefined) this.#addSource("<stdin>", "", bytes, flags);
  }

  /** `bytes` may be only their number, where it was too large to read them. */
  #addSource(file: string, folder: string, bytes: Buffer | number, flags: Flags): void {
    const text = this.#textOf(file, bytes);
    if (text === undefined) return;
    this.sources.push({ file, folder, text, ...flags, ...(this.#inPolicyDir ? { ofPolicyDir: true } : {}) });
  }

  #textOf(file: string, bytes: Buffer | number): string | undefined {
    const fits = this.#bytes.fits(file, typeof bytes === "number" ? bytes : bytes.length);
    return fits && typeof bytes !== "number" ? this.#bytes.textOf(file, bytes) : undefined;
  }

  #readFolder(folder: string, trusted: boolean, way: Way): void {
    const real = this.#attempt(folder, () => realpathSync(folder));
    // A link that leads back up would walk for ever.
    if (real === undefined || way.above.includes(real) || !this.#firstVisit(`${resolve(folder)}/`)) return;
    if (this.#isOutside(folder, real)) return;
    const parent = way.above.at(-1);
    const linked = way.linked || (parent !== undefined && resolve(parent, posix.basename(folder)) !== real);
    if (linked && this.#tooManyLinks(folder)) return;
    const entries = this.#attempt(folder, () => readdirSync(folder, { withFileTypes: true }));
    if (entries === undefined) return;
    const rules = [...way.rules, ...this.#krmIgnore(folder, entries)];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = posix.join(folder, entry.name);
      const kind = this.#kindToRead(entry, path, rules);
      if (kind === "folder") this.#readFolder(path, trusted, { rules, above: [...way.above, real], linked });
      else if (kind === "file") this.#readFile(path, { explicit: false, trusted, config: false });
    }
  }

  /** What an entry of a folder is, when it is to be read; says why not, where somebody may have expected it. */
  #kindToRead(entry: Dirent, path: string, rules: readonly KrmIgnore[]): "folder" | "file" | undefined {
    const { name } = entry;
    // Nobody expects manifests there, and every repository has one.
    if (name === ".git") return undefined;
    const kind = entry.isSymbolicLink() ? this.#targetOf(path, name, rules) : entry;
    if (kind === undefined) return undefined;
    const isFolder = kind.isDirectory();
    if (!isFolder && !mayHoldManifests(name)) return undefined;
    const reason = isIgnored(path, isFolder, rules) ? "left out by .krmignore" : reasonToSkip(name, kind);
    if (reason === undefined) return isFolder ? "folder" : "file";
    this.findings.push(findingInFile("file-skipped", path, { message: reason }));
    return undefined;
  }

  #targetOf(path: string, name: string, rules: readonly KrmIgnore[]): Stats | undefined {
    try {
      return statSync(path);
    } catch (error) {
      // Where nobody reads, it is no matter that a link leads to nothing: editors lock files with such links.
      const leftOut = name.startsWith(".") || isIgnored(path, false, rules) || isIgnored(path, true, rules);
      if (!leftOut) this.#unreadable(path, error);
      return undefined;
    }
  }

  #readFile(path: string, flags: Flags): void {
    this.#filesMet += 1;
    const folder = posix.dirname(withSlashes(resolve(path)));
    const real = this.#attempt(path, () => realpathSync(path));
    // Once in each folder: that decides which hosted cluster a file counts for, and links share files between them.
    if (real === undefined || real === this.#notManifest || !this.#firstVisit(`${folder}/\0${real}`)) return;
    if (this.#isOutside(path, real) || this.#bytes.isFull) return;
    const bytes = this.#attempt(path, () => readWithinLimit(path, MAX_INPUT_BYTES));
    if (bytes !== undefined) this.#addSource(path, folder, bytes, flags);
  }

  #krmIgnore(folder: string, entries: readonly Dirent[]): KrmIgnore[] {
    if (!entries.some((entry) => entry.name === ".krmignore" && !entry.isDirectory())) return [];
    const path = posix.join(folder, ".krmignore");
    const real = this.#attempt(path, () => realpathSync(path));
    if (real === undefined || this.#isOutside(path, real) || this.#bytes.isFull) return [];
    const isFile = this.#attempt(path, () => statSync(path).isFile());
    if (isFile === false) this.findings.push(findingInFile("file-unreadable", path, NO_FILE));
    if (isFile !== true) return [];
    const bytes = this.#attempt(path, () => readWithinLimit(path, MAX_INPUT_BYTES));
    const text = bytes === undefined ? undefined : this.#textOf(path, bytes);
    return text === undefined ? [] : [parseKrmIgnore(folder, text)];
  }

  /** A link in a repository is made by whoever writes there, also where the user has named it. */
  #leadsOut(path: string): boolean {
    const link = linkOutOn(path);
    if (link !== undefined) this.findings.push(findingInFile("link-outside", link, OUTSIDE));
    return link !== undefined;
  }

  /** Not passed over: what it should hold would be missing, and Argo CD would prune it. */
  #isOutside(path: string, real: string): boolean {
    if (this.#reach.holds(real)) return false;
    this.findings.push(findingInFile("link-outside", path, OUTSIDE));
    return true;
  }

  #firstVisit(place: string): boolean {
    if (this.#seen.has(place)) return false;
    this.#seen.add(place);
    return true;
  }

  #tooManyLinks(folder: string): boolean {
    this.#linkedFolders += 1;
    if (this.#linkedFolders === MAX_LINKED_FOLDERS + 1) {
      const message = `is one of more than ${MAX_LINKED_FOLDERS} folders that are reached through links; the others are not read`;
      const hint = "remove the link that leads out of the package, or name it in .krmignore";
      this.findings.push(findingInFile("input-limit", folder, { message, hint }));
    }
    return this.#linkedFolders > MAX_LINKED_FOLDERS;
  }

  #attempt<T>(path: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#unreadable(path, error);
      return undefined;
    }
  }

  #unreadable(path: string, error: unknown): void {
    this.findings.push(findingInFile("file-unreadable", path, whyUnreadable(error as NodeJS.ErrnoException, path)));
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const OUTSIDE = {
  message: "is a link that leads outside of what was given and of its git repository; nothing of it is read",
  hint: "put a file in its place, give what it leads to as a PATH, or name the link in .krmignore",
};

const NO_FILE = { message: "is neither a file nor a link to one", hint: "remove it" };

const EMPTY_PATH = { message: "one of the paths is empty", hint: "a variable may not be set" };

function withSlashes(path: string): string {
  // Only Windows has backslashes between folders; elsewhere they are part of a name.
  return posix.normalize(sep === "\\" ? path.replaceAll("\\", "/") : path).replace(/(?<=.)\/$/, "");
}

function reasonToSkip(name: string, kind: Pick<Dirent, "isDirectory" | "isFile">): string | undefined {
  const isFolder = kind.isDirectory();
  if (name.startsWith(".")) return `hidden ${isFolder ? "folders" : "files"} are not read`;
  if (isOfOtherTools(name)) return "is configuration of kustomize or kpt, not a manifest";
  // Opening a pipe waits for somebody to write into it.
  return isFolder || kind.isFile() ? undefined : "is neither a file nor a folder";
}

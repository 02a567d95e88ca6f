/** The reading door: paths and the standard input in, sources and findings out. The only place that reads files. */
import {
  closeSync,
  type Dirent,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { posix, resolve, sep } from "node:path";
import { type Finding, findingInFile, findingOnInput, type Outcome } from "./finding.ts";
import { isIgnored, type KrmIgnore, parseKrmIgnore } from "./krm-ignore.ts";
import type { Source } from "./source.ts";
import { MAX_FILE_BYTES } from "./yaml-options.ts";

export interface ReadRequest {
  /** Files and directories in the order given; `-` is the standard input. */
  readonly paths: readonly string[];
  /** The only place rules are read from, when given (`--policy-dir`). */
  readonly policyDir?: string | undefined;
  /** The file of a RenderConfig that the user names (`--config`). */
  readonly config?: string | undefined;
  /** Reads the standard input to its end. */
  readonly readStdin: () => Buffer;
}

const MEBIBYTE = 1024 * 1024;
const EXTENSIONS = [".yaml", ".yml", ".json"];
/** Configuration of the tools around: never applied to a cluster. */
const NOT_MANIFESTS = ["kustomization.yaml", "kustomization.yml", "Kustomization", "Kptfile"];

/** Every source once in each folder that paths and links lead to; directories sorted by name. */
export function readSources(request: ReadRequest): Outcome<Source[]> {
  const reader = new Reader();
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
  #filesMet = 0;
  #linkedFolders = 0;

  readPath(given: string, trusted: boolean): void {
    if (given === "") {
      this.findings.push(findingOnInput("file-unreadable", EMPTY_PATH));
      return;
    }
    const path = withSlashes(given);
    const kind = this.#attempt(path, () => statSync(path));
    if (kind === undefined) return;
    if (kind.isDirectory()) this.#readFolder(path, trusted, { rules: [], above: [], linked: false });
    else this.#readFile(path, { explicit: true, trusted, config: false });
  }

  /** A folder without a manifest would turn every rule off in silence. */
  readPolicyDir(given: string): void {
    const before = { files: this.#filesMet, findings: this.findings.length };
    this.readPath(given, true);
    if (this.#filesMet > before.files) return;
    if (this.findings.slice(before.findings).some((finding) => finding.severity === "error")) return;
    const message = "holds no manifest, and rules are read only here (--policy-dir)";
    const hint = "check the path: manifests end in .yaml, .yml or .json";
    this.findings.push(findingInFile("input-empty", withSlashes(given), { message, hint }));
  }

  readConfig(given: string): void {
    if (given === "") this.findings.push(findingOnInput("file-unreadable", EMPTY_PATH));
    else this.#readFile(withSlashes(given), { explicit: true, trusted: true, config: true });
  }

  readStream(read: () => Buffer, flags: Flags): void {
    const bytes = this.#attempt("<stdin>", read);
    if (bytes !== undefined) this.#addSource("<stdin>", "", bytes, flags);
  }

  /** `bytes` may be only their number, where it was too large to read them. */
  #addSource(file: string, folder: string, bytes: Buffer | number, flags: Flags): void {
    const size = typeof bytes === "number" ? bytes : bytes.length;
    if (typeof bytes === "number" || size > MAX_FILE_BYTES) {
      const message = `is ${Math.ceil(size / MEBIBYTE)} MiB, more than the ${MAX_FILE_BYTES / MEBIBYTE} MiB that anp reads`;
      this.findings.push(findingInFile("input-limit", file, { message, hint: "split the file" }));
      return;
    }
    try {
      // The decoder drops a byte order mark, which YAML allows and which belongs to no value; `cat` puts more of them
      // inside, before the first word of each file.
      const text = UTF8.decode(bytes).replaceAll(/^\ufeff/gm, "");
      this.sources.push({ file, folder, text, ...flags });
    } catch {
      this.findings.push(findingInFile("not-utf8", file, notUtf8(bytes)));
    }
  }

  #readFolder(folder: string, trusted: boolean, way: Way): void {
    const real = this.#attempt(folder, () => realpathSync(folder));
    // A link that leads back up would walk for ever.
    if (real === undefined || way.above.includes(real) || !this.#firstVisit(`${resolve(folder)}/`)) return;
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
    if (real === undefined || !this.#firstVisit(`${folder}/\0${real}`)) return;
    const bytes = this.#attempt(path, () => readWithinLimit(path));
    if (bytes !== undefined) this.#addSource(path, folder, bytes, flags);
  }

  #krmIgnore(folder: string, entries: readonly Dirent[]): KrmIgnore[] {
    if (!entries.some((entry) => entry.name === ".krmignore" && !entry.isDirectory())) return [];
    const path = posix.join(folder, ".krmignore");
    const text = this.#attempt(path, () => readFileSync(path, "utf8"));
    return text === undefined ? [] : [parseKrmIgnore(folder, text)];
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

const UTF8 = new TextDecoder("utf-8", { fatal: true });

const EMPTY_PATH = { message: "one of the paths is empty", hint: "a variable may not be set" };

function withSlashes(path: string): string {
  // Only Windows has backslashes between folders; elsewhere they are part of a name.
  return posix.normalize(sep === "\\" ? path.replaceAll("\\", "/") : path).replace(/(?<=.)\/$/, "");
}

/** The bytes of a file, or how many there are at least when they are too many. Pipes and devices have no size. */
function readWithinLimit(path: string): Buffer | number {
  const kind = statSync(path);
  if (kind.isFile()) return kind.size > MAX_FILE_BYTES ? kind.size : readFileSync(path);
  const descriptor = openSync(path, "r");
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    while (size <= MAX_FILE_BYTES) {
      const chunk = Buffer.alloc(64 * 1024);
      const length = readSync(descriptor, chunk);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, length));
      size += length;
    }
    return size;
  } finally {
    closeSync(descriptor);
  }
}

function mayHoldManifests(name: string): boolean {
  return NOT_MANIFESTS.includes(name) || EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension));
}

function reasonToSkip(name: string, kind: Pick<Dirent, "isDirectory" | "isFile">): string | undefined {
  const isFolder = kind.isDirectory();
  if (name.startsWith(".")) return `hidden ${isFolder ? "folders" : "files"} are not read`;
  if (NOT_MANIFESTS.includes(name)) return "is configuration of kustomize or kpt, not a manifest";
  // Opening a pipe waits for somebody to write into it.
  return isFolder || kind.isFile() ? undefined : "is neither a file nor a folder";
}

function whyUnreadable(error: NodeJS.ErrnoException, path: string): { message: string; hint?: string } {
  switch (error.code) {
    case "ENOENT":
      return path.includes("\ufffd")
        ? { message: "has a name that is not UTF-8", hint: "rename it" }
        : { message: "does not exist", hint: "check the path; a link may lead to nothing" };
    case "EACCES":
    case "EPERM":
      return {
        message: "may not be read: permission denied",
        hint: "give the user that runs anp the right to read it",
      };
    case "ELOOP":
      return { message: "is a link that leads back to itself" };
    case "EISDIR":
      return { message: "is a directory, and a file is needed here" };
    case "ENOTDIR":
      return { message: "does not exist: a part of the path is a file, not a directory" };
    default:
      return { message: `cannot be read: ${error.code ?? error.message}` };
  }
}

function notUtf8(bytes: Buffer): { message: string; hint: string } {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const message = utf16 ? "is UTF-16, and Kubernetes manifests are UTF-8" : "holds bytes that are not UTF-8";
  return { message, hint: "save the file as UTF-8" };
}

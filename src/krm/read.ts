/** The reading door: paths and the standard input in, sources and findings out. The only place that reads files. */
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { posix, resolve } from "node:path";
import { type Finding, findingInFile, type Outcome } from "./finding.ts";
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

/** Every source once, however many paths lead to it; directories sorted by name. */
export function readSources(request: ReadRequest): Outcome<Source[]> {
  const reader = new Reader();
  const trusted = request.policyDir === undefined;
  // First, so that a PATH which holds the file as well does not give it twice.
  if (request.config !== undefined) reader.readConfig(request.config);
  // First, so that a file which a PATH reaches as well is known as trusted.
  if (request.policyDir !== undefined) reader.readPath(request.policyDir, true);
  for (const path of request.paths) {
    if (path === "-") reader.addSource("<stdin>", "", request.readStdin(), { explicit: true, trusted, config: false });
    else reader.readPath(path, trusted);
  }
  return { value: reader.sources, findings: reader.findings };
}

type Flags = Pick<Source, "explicit" | "trusted" | "config">;

class Reader {
  readonly sources: Source[] = [];
  readonly findings: Finding[] = [];
  readonly #seen = new Set<string>();

  readPath(given: string, trusted: boolean): void {
    const path = posix.normalize(given.replaceAll("\\", "/")).replace(/(?<=.)\/$/, "");
    const kind = this.#attempt(path, () => statSync(path));
    if (kind === undefined) return;
    if (kind.isDirectory()) this.#readFolder(path, trusted, []);
    else this.#readFile(path, { explicit: true, trusted, config: false });
  }

  readConfig(path: string): void {
    this.#readFile(posix.normalize(path.replaceAll("\\", "/")), { explicit: true, trusted: true, config: true });
  }

  /** `bytes` may be only their number, where it was too large to read them. */
  addSource(file: string, folder: string, bytes: Buffer | number, flags: Flags): void {
    const size = typeof bytes === "number" ? bytes : bytes.length;
    if (typeof bytes === "number" || size > MAX_FILE_BYTES) {
      const message = `is ${Math.ceil(size / MEBIBYTE)} MiB, more than the ${MAX_FILE_BYTES / MEBIBYTE} MiB that anp reads`;
      this.findings.push(findingInFile("input-limit", file, { message, hint: "split the file" }));
      return;
    }
    try {
      // The decoder drops a byte order mark, which YAML allows and which belongs to no value.
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      this.sources.push({ file, folder, text, ...flags });
    } catch {
      this.findings.push(findingInFile("not-utf8", file, notUtf8(bytes)));
    }
  }

  #readFolder(folder: string, trusted: boolean, outerRules: readonly KrmIgnore[]): void {
    // A link that leads back up would walk for ever.
    if (!this.#firstVisit(`${folder}/`)) return;
    const entries = this.#attempt(folder, () => readdirSync(folder, { withFileTypes: true }));
    if (entries === undefined) return;
    const rules = entries.some((entry) => entry.name === ".krmignore")
      ? [...outerRules, ...this.#krmIgnore(folder)]
      : outerRules;
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = posix.join(folder, entry.name);
      const isFolder = this.#isFolder(entry, path);
      if (isFolder === undefined || (!isFolder && !mayHoldManifests(entry.name))) continue;
      const reason = isIgnored(path, isFolder, rules) ? "left out by .krmignore" : reasonToSkip(entry.name, isFolder);
      if (reason !== undefined) this.findings.push(findingInFile("file-skipped", path, { message: reason }));
      else if (isFolder) this.#readFolder(path, trusted, rules);
      else this.#readFile(path, { explicit: false, trusted, config: false });
    }
  }

  #readFile(path: string, flags: Flags): void {
    if (!this.#firstVisit(path)) return;
    const size = this.#attempt(path, () => statSync(path).size) ?? 0;
    const bytes = size > MAX_FILE_BYTES ? size : this.#attempt(path, () => readFileSync(path));
    if (bytes !== undefined) this.addSource(path, posix.dirname(resolve(path)), bytes, flags);
  }

  #isFolder(entry: Dirent, path: string): boolean | undefined {
    if (!entry.isSymbolicLink()) return entry.isDirectory() || (entry.isFile() ? false : undefined);
    const target = this.#attempt(path, () => statSync(path));
    return target === undefined ? undefined : target.isDirectory();
  }

  #krmIgnore(folder: string): KrmIgnore[] {
    const text = this.#attempt(posix.join(folder, ".krmignore"), () =>
      readFileSync(posix.join(folder, ".krmignore"), "utf8"),
    );
    return text === undefined ? [] : [parseKrmIgnore(folder, text)];
  }

  #firstVisit(path: string): boolean {
    const real = this.#attempt(path, () => realpathSync(path) + (path.endsWith("/") ? "/" : ""));
    if (real === undefined || this.#seen.has(real)) return false;
    this.#seen.add(real);
    return true;
  }

  #attempt<T>(path: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.findings.push(findingInFile("file-unreadable", path, whyUnreadable(error as NodeJS.ErrnoException)));
      return undefined;
    }
  }
}

function mayHoldManifests(name: string): boolean {
  return NOT_MANIFESTS.includes(name) || EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension));
}

function reasonToSkip(name: string, isFolder: boolean): string | undefined {
  if (name.startsWith(".")) return `hidden ${isFolder ? "folders" : "files"} are not read`;
  return NOT_MANIFESTS.includes(name) ? "is configuration of kustomize or kpt, not a manifest" : undefined;
}

function whyUnreadable(error: NodeJS.ErrnoException): { message: string; hint?: string } {
  switch (error.code) {
    case "ENOENT":
      return { message: "does not exist", hint: "check the path; a link may lead to nothing" };
    case "EACCES":
    case "EPERM":
      return {
        message: "may not be read: permission denied",
        hint: "give the user that runs anp the right to read it",
      };
    case "ELOOP":
      return { message: "is a link that leads back to itself" };
    default:
      return { message: `cannot be read: ${error.code ?? error.message}` };
  }
}

function notUtf8(bytes: Buffer): { message: string; hint: string } {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const message = utf16 ? "is UTF-16, and Kubernetes manifests are UTF-8" : "holds bytes that are not UTF-8";
  return { message, hint: "save the file as UTF-8" };
}

/** Walks a tree of files: what is read, in which order, and which findings are made. */
import { type Finding, findingInFile, hasErrors, type Outcome, type Words } from "../findings/finding.ts";
import type { FindingCode } from "../findings/finding-codes.ts";
import { InputBytes } from "./input-bytes.ts";
import { below, type Entered, type Entry, type FileTree, type FileType, Refusal } from "./file-tree.ts";
import {
  isIgnored,
  isKustomization,
  isOfOtherTools,
  isOfTerraform,
  type KrmIgnore,
  mayHoldManifests,
  OF_OTHER_TOOL,
  parseKrmIgnore,
  reasonToSkip,
} from "./manifest-names.ts";
import type { Source } from "../places/source.ts";
import { IS_FOLDER } from "./read-file.ts";

/** A path that the user gives. */
export interface Given<At> extends Pick<Source, "trusted" | "config" | "ofPolicyDir"> {
  readonly at: At;
  /** Its path for findings. */
  readonly shown: string;
  /** Its path from the root of the disk, with `/`: it decides which hosted cluster governs a file. */
  readonly place: string;
  /** The pattern below it: names of entries, `*` for every folder in its place. */
  readonly pattern?: readonly string[] | undefined;
  /** The place from which a pattern led here. */
  readonly base?: string;
  /** The place that the last `*` of the pattern matched. */
  readonly tree?: string;
}

/** An entry that the walk reaches. */
interface Spot<At> extends Given<At> {
  readonly explicit: boolean;
  /** `""` for a given path. */
  readonly name: string;
  readonly type: Entry<At>["type"];
  /** The patterns of the `.krmignore` files above. */
  readonly rules: readonly KrmIgnore[];
  /** The real folders above. */
  readonly above: readonly string[];
  /** Whether a link led here. */
  readonly linked: boolean;
}

interface Reading {
  /** The real paths of files that are not manifests, however they are reached. */
  readonly notManifests?: ReadonlySet<string> | undefined;
  /** Whether configuration of kustomize and kpt is read too, because `kubectl apply` takes objects of any file. */
  readonly ofOtherTools?: boolean | undefined;
  /** Whether kustomizations are read too, unless `.krmignore` names them. */
  readonly ofKustomize?: boolean | undefined;
  /** Whether files of Terraform are read in place of manifests. */
  readonly ofTerraform?: boolean | undefined;
}

/**
 * Every file once in each folder that paths and links lead to, folders sorted by name.
 * @param given in its order; a finding takes the place of an unreadable path
 */
export function readTree<At>(
  tree: FileTree<At>,
  given: Iterable<Given<At> | Finding>,
  reading: Reading = {},
): Outcome<Source[]> {
  const walk = new Walk(tree, reading);
  return { value: walk.sourcesOf(given), findings: walk.findings };
}

/** Links can lead out of the package, to the root of the file system, and multiply what is behind them. */
const MAX_LINKED_FOLDERS = 10_000;

class Walk<At> {
  readonly findings: Finding[] = [];
  readonly #tree: FileTree<At>;
  readonly #reading: Reading;
  readonly #bytes = new InputBytes(this.findings);
  readonly #seen = new Set<string>();
  /** The real paths of files in the policy directory, which is read before all others. */
  readonly #rules = new Set<string>();
  #filesMet = 0;
  #linkedFolders = 0;

  constructor(tree: FileTree<At>, reading: Reading) {
    this.#tree = tree;
    this.#reading = reading;
  }

  sourcesOf(given: Iterable<Given<At> | Finding>): Source[] {
    const sources: Source[] = [];
    const files = this.#tree.readAll(this.#filesOf(given), ({ shown }, size) => this.#fits(shown, size));
    for (const [{ shown, place, name, explicit, trusted, config, ofPolicyDir, base, tree }, bytes] of files) {
      const file = this.#tree.prefix + shown;
      const text = this.#bytes.textOf(file, bytes);
      const ofFleet = base === undefined ? {} : { ofFleet: base, ...(tree === undefined ? {} : { tree }) };
      const ofOtherTool = isOfOtherTools(name) ? { ofOtherTool: true } : {};
      const ofRules = ofPolicyDir ? { ofPolicyDir, place } : {};
      const flags = { explicit, trusted, config, ...ofRules, ...ofFleet, ...ofOtherTool };
      if (text !== undefined) sources.push({ file, folder: folderOf(place), text, ...flags });
    }
    return sources;
  }

  *#filesOf(given: Iterable<Given<At> | Finding>): Generator<Spot<At>> {
    for (const one of given) {
      if ("code" in one) {
        this.findings.push(one);
        continue;
      }
      const matches = one.pattern === undefined ? [one] : this.#matches(one, one.pattern);
      if (matches.length === 0 && one.ofPolicyDir) this.#report("input-empty", patternOf(one), NO_MATCH);
      for (const match of matches) yield* this.#filesOfGiven(match);
    }
  }

  *#filesOfGiven(one: Given<At>): Generator<Spot<At>> {
    const before = { files: this.#filesMet, findings: this.findings.length };
    const type = this.#tree.typeOf(one.at);
    if (one.config && type === "folder") this.#report("file-unreadable", one.shown, IS_FOLDER);
    else yield* this.#filesBelow({ ...one, explicit: true, name: "", type, rules: [], above: [], linked: false });
    const isEmpty = this.#filesMet === before.files && !hasErrors(this.findings.slice(before.findings));
    // An empty policy directory would silently turn every rule off.
    if (one.ofPolicyDir && isEmpty) this.#report("input-empty", one.shown, NO_MANIFEST);
  }

  /** Links are not followed: a link in place of a folder of rules would turn other users' files into rules. */
  #matches(top: Given<At>, pattern: readonly string[]): Given<At>[] {
    let found: Given<At>[] = [{ ...top, base: top.place }];
    for (const part of pattern) {
      const entries = found.flatMap((one) => this.#entriesOf(one).map((entry) => ({ one, entry })));
      const matching = entries.filter(({ entry: { name, type } }) =>
        part === "*" ? type === "folder" && !name.startsWith(".") : name === part,
      );
      for (const { one, entry } of matching)
        if (entry.type === "link") this.#report("untrusted-policy", below(one.shown, entry.name), LINK_FOR_RULES);
      found = matching.flatMap(({ one, entry: { name, type, at } }) => {
        const place = below(one.place, name);
        const tree = part === "*" ? { tree: place } : {};
        return type === "link" ? [] : { ...one, at, shown: below(one.shown, name), place, ...tree };
      });
    }
    return found;
  }

  #entriesOf({ at, shown }: Pick<Given<At>, "at" | "shown">): Entry<At>[] {
    if (this.#tree.typeOf(at) !== "folder") return [];
    const entries = this.#unlessRefused(shown, this.#tree.entriesOf(at)) ?? [];
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Not recursive: authors decide how deep folders are. */
  *#filesBelow(top: Spot<At>): Generator<Spot<At>> {
    const waiting = [top];
    for (let spot = waiting.pop(); spot !== undefined; spot = waiting.pop()) {
      const type = spot.explicit ? this.#typeOf(spot) : this.#typeToRead(spot);
      const entered = type === undefined ? undefined : this.#enter(spot, type);
      if (entered === undefined) continue;
      if (type === "folder") for (const child of this.#spotsIn(spot, entered).toReversed()) waiting.push(child);
      else if (!this.#bytes.isFull) yield { ...spot, at: entered.at };
    }
  }

  /** The type of an entry that is to be read. Reports a skipped entry if a user may have expected it to be read. */
  #typeToRead(spot: Spot<At>): FileType | undefined {
    const { name, place, rules } = spot;
    // Every repository has one, and it holds no manifests.
    if (name === ".git") return undefined;
    const type = this.#typeOf(spot);
    const mayHold = this.#reading.ofTerraform === true ? isOfTerraform : mayHoldManifests;
    if ((type === "file" || type === "other") && !mayHold(name)) return undefined;
    const ignored = isIgnored(place, type === "folder", rules) || (type === "unknown" && isIgnored(place, true, rules));
    const { ofOtherTools, ofKustomize } = this.#reading;
    const isWanted = ofOtherTools === true || (ofKustomize === true && !ignored && isKustomization(name));
    const isOfTool = isWanted && type === "file" && isOfOtherTools(name);
    const reason = isOfTool ? OF_OTHER_TOOL : ignored ? "left out by .krmignore" : reasonToSkip(name, type);
    if (reason === undefined) return type;
    // A link without a target does not matter if it would be skipped: editors lock files with such links.
    if (type !== "unknown") this.#report("file-skipped", spot.shown, { message: reason });
    return isOfTool ? type : undefined;
  }

  #enter(spot: Spot<At>, type: FileType): Entered<At> | undefined {
    const isFolder = type === "folder";
    if (!isFolder) this.#filesMet += 1;
    const entered = this.#unlessRefused(spot.shown, this.#tree.enter(spot.at));
    if (entered === undefined) return undefined;
    const { real, refusal } = entered;
    // A link that leads back up would make the walk endless.
    if (isFolder && spot.above.includes(real)) return undefined;
    if (this.#reading.notManifests?.has(real) === true) return undefined;
    if (spot.ofPolicyDir && spot.type === "link" && !isIn(spot.above[0]!, real)) {
      this.#report("untrusted-policy", spot.shown, LINK_OUT_OF_RULES);
      return undefined;
    }
    // A file is read once in each folder: the folder decides which hosted cluster it is for, and clusters share files
    // by links.
    if (!this.#firstVisit(isFolder ? `${spot.place}/` : `${folderOf(spot.place)}/\0${real}`)) return undefined;
    // Files of the policy directory are read only there: a link to them must not give the rules to another folder.
    if (!isFolder && spot.ofPolicyDir) this.#rules.add(real);
    else if (!isFolder && this.#rules.has(real)) {
      this.#report("file-skipped", spot.shown, LINK_TO_RULES);
      return undefined;
    }
    if (refusal === undefined) return entered;
    this.#report(refusal.code, spot.shown, refusal.words);
    return undefined;
  }

  #spotsIn(folder: Spot<At>, { at, real }: Entered<At>): Spot<At>[] {
    const parent = folder.above.at(-1);
    const linked = folder.linked || (parent !== undefined && below(parent, folder.name) !== real);
    if (linked && this.#tooManyLinks(folder.shown)) return [];
    const entries = this.#unlessRefused(folder.shown, this.#tree.entriesOf(at)) ?? [];
    const rules = [...folder.rules, ...this.#krmIgnore(folder, entries)];
    const above = [...folder.above, real];
    const inside = { ...folder, explicit: false, rules, above, linked };
    const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const named = (name: string) => ({ shown: below(folder.shown, name), place: below(folder.place, name) });
    return sorted.map((entry) => ({ ...inside, ...entry, ...named(entry.name) }));
  }

  #typeOf({ at, type }: Pick<Entry<At>, "at" | "type">): FileType {
    return type === "link" ? this.#tree.typeOf(at) : type;
  }

  #krmIgnore(folder: Spot<At>, entries: readonly Entry<At>[]): KrmIgnore[] {
    const entry = entries.find(({ name, type }) => name === ".krmignore" && type !== "folder");
    if (entry === undefined) return [];
    const shown = below(folder.shown, entry.name);
    const entered = this.#unlessRefused(shown, this.#tree.enter(entry.at));
    if (entered === undefined || this.#bytes.isFull) return [];
    const isFile = this.#typeOf(entry) === "file";
    const bytes = entered.refusal ?? (isFile ? this.#tree.read(entered.at) : NO_FILE);
    const fits = this.#fits(shown, Buffer.isBuffer(bytes) ? bytes.length : bytes);
    const text = fits && Buffer.isBuffer(bytes) ? this.#bytes.textOf(this.#tree.prefix + shown, bytes) : undefined;
    return text === undefined ? [] : [parseKrmIgnore(folder.place, text)];
  }

  #fits(shown: string, size: number | Refusal): boolean {
    if (this.#bytes.isFull) return false;
    const known = this.#unlessRefused(shown, size);
    return known !== undefined && this.#bytes.fits(this.#tree.prefix + shown, known);
  }

  #firstVisit(place: string): boolean {
    if (this.#seen.has(place)) return false;
    this.#seen.add(place);
    return true;
  }

  #tooManyLinks(shown: string): boolean {
    this.#linkedFolders += 1;
    if (this.#linkedFolders === MAX_LINKED_FOLDERS + 1) this.#report("input-limit", shown, TOO_MANY_LINKS);
    return this.#linkedFolders > MAX_LINKED_FOLDERS;
  }

  #unlessRefused<T>(shown: string, answer: T | Refusal): T | undefined {
    if (!(answer instanceof Refusal)) return answer;
    this.#report(answer.code, shown, answer.words);
    return undefined;
  }

  #report(code: FindingCode, shown: string, words: Words): void {
    this.findings.push(findingInFile(code, this.#tree.prefix + shown, words));
  }
}

const NO_MANIFEST = {
  message: "holds no manifest, and rules are read only here (--policy-dir)",
  hint: "check the path: manifests end in .yaml, .yml or .json",
};

const NO_MATCH = {
  message: "leads to nothing, and rules are read only there (--policy-dir)",
  hint: "check the path: * stands for every folder in its place, and links are not followed",
};

const LINK_FOR_RULES = {
  message: "is a link in a place where --policy-dir looks for rules",
  hint: "put the folder or file itself there",
};

const LINK_OUT_OF_RULES = {
  message: "is a link that leads out of the policy directory, to where others may change what becomes a rule",
  hint: "put the folder or file itself there, or name the link in .krmignore",
};

const LINK_TO_RULES = { message: "is a link to a file of the policy directory, which is read only there" };

/** The pattern as the user wrote it. */
function patternOf({ shown, pattern = [] }: Given<unknown>): string {
  return pattern.reduce(below, shown);
}

const NO_FILE = new Refusal("file-unreadable", {
  message: "is neither a file nor a link to one",
  hint: "remove it",
});

const TOO_MANY_LINKS = {
  message: `is one of more than ${MAX_LINKED_FOLDERS} folders that are reached through links; the others are not read`,
  hint: "remove the link that leads out of the package, or name it in .krmignore",
};

/** Both are real paths. */
function isIn(folder: string, path: string): boolean {
  return path.startsWith(below(folder, ""));
}

/** `""` for the standard input, which is in no folder. */
function folderOf(place: string): string {
  return place.slice(0, Math.max(1, place.lastIndexOf("/")));
}

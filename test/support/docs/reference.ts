/** Finds references to documents and their sections in a file, and explains broken ones. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { headingsOf, readPage, REPOSITORY } from "./page.ts";

export interface Reference {
  /** From 1. */
  readonly line: number;
  /** As written. */
  readonly text: string;
  /** Possible targets, relative to the repository: the first that exists counts. */
  readonly candidates: readonly string[];
  readonly section: string | undefined;
}

/** All committed or uncommitted text files that are not ignored. */
export function textFiles(): string[] {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const names = execFileSync("git", list, { cwd: REPOSITORY, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0");
  return names.filter((name) => existsAs(name, "file") && !readFileSync(`${REPOSITORY}${name}`).includes(0)).toSorted();
}

/** `docs/render.md#output` anywhere; in comments also other documents; links in Markdown; `decision 5`. */
export function referencesIn(file: string, text: string): Reference[] {
  const folder = posix.dirname(file);
  return text.split("\n").flatMap((line, index): Reference[] => {
    const found = (written: string, candidates: readonly string[], section?: string): Reference => {
      return { line: index + 1, text: written, candidates, section };
    };
    const beside = (path: string): string[] => [path, posix.join(folder, path)];
    const documents = [...line.matchAll(DOCUMENT)].map(([written, path = "", section]) =>
      found(written, beside(path), section),
    );
    const named = [...commentOf(file, line).matchAll(NAME)].map(([written, path = "", section]) =>
      found(written, beside(path), section),
    );
    // A row of a table in a diff is of another page.
    const linked =
      !file.endsWith(".md") || /^[+ ]\|/.test(line)
        ? []
        : [...line.matchAll(LINK)].map(([written, path = "", section]) =>
            found(written, [path === "" ? file : posix.join(folder, path)], section),
          );
    const decisions = [...line.matchAll(DECISION)].map(([written, number = ""]) => found(written, [decision(number)]));
    return [...documents, ...named, ...linked, ...decisions];
  });
}

/** Undefined if the target exists. */
export function whyBroken({ candidates, section }: Reference): string | undefined {
  const target = candidates.find((path) => existsAs(path, "any"));
  if (target === undefined) return "no such document";
  if (section === undefined) return undefined;
  return target.endsWith(".md") && headingsOf(readPage(target)).includes(section) ? undefined : "no such section";
}

/** References that readers cannot follow: to files outside the project, or to sections in an unchecked form. */
export function mistakesIn(file: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const prose = file.endsWith(".md") ? line : commentOf(file, line);
    const found = [line.match(FOREIGN_NAME), prose.match(FOREIGN_FOLDER), prose.match(LOOSE_SECTION)];
    return found.flatMap((match) => (match === null ? [] : [`${file}:${index + 1}: ${match[0]}`]));
  });
}

/** Without a path before it, because a path or address belongs to another repository. */
const DOCUMENT = /(?<![\w./@-])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g;
const NAME = /(?<![\w./@*-])(?!docs\/)((?:[\w.-]+\/)*[\w-]+\.md)(?:#([\w-]+))?(?![\w-])/g;
const LINK = /\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
const DECISION = /\bdecision (\d+)\b/g;

const FOREIGN_NAME = /\bDESIGN[.]md\b/;
const FOREIGN_FOLDER = /(?<![\w./-])shared[/]/;
/** A number or a title behind the name of a page: the valid form is the page, `#` and the anchor of the section. */
const LOOSE_SECTION = /[\w-]+\.md(?:,? ?§ ?\S+|,? \d+(?:\.\d+)*(?![\w-])|, ")/;

/** The comment in a line; in YAML and shell only whole lines and text behind a space are comments. */
function commentOf(file: string, line: string): string {
  if (/\.(?:ts|js|go)$/.test(file)) return /^\s*(?:\/?\*.*)$|\/\/ .*$/.exec(line)?.[0] ?? "";
  if (file.endsWith("case.yaml")) return line;
  return /\.(?:ya?ml|sh)$|Kptfile$|\.ci\/run$/.test(file) ? (/(?:^|\s)# .*$/.exec(line)?.[0] ?? "") : "";
}

function decision(number: string): string {
  const start = `${number.padStart(4, "0")}-`;
  const name = readdirSync(`${REPOSITORY}docs/decisions`).find((one) => one.startsWith(start));
  return `docs/decisions/${name ?? `${start}…`}`;
}

function existsAs(path: string, what: "file" | "any"): boolean {
  const place = `${REPOSITORY}${path}`;
  return existsSync(place) && (what === "any" || statSync(place).isFile());
}

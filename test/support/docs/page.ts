/** Reads the fenced blocks of a page of the documentation, each with the note above it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** The line above a block, which readers see, except the reason why a block is not run, which is a comment. */
interface Note {
  readonly name: "file" | "part of" | "in" | "not run";
  readonly value: string;
}

export interface Block {
  /** The line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly note: Note | undefined;
  readonly lines: readonly string[];
}

/** README.md, the pages of docs/ and what agents are given, as far as they exist. */
export function pages(): string[] {
  const docs = readdirSync(join(REPOSITORY, "docs")).filter((name) => name.endsWith(".md"));
  const all = ["README.md", ...docs.toSorted().map((name) => `docs/${name}`), "integrations/agents/SKILL.md"];
  return all.filter((page) => existsSync(join(REPOSITORY, page)));
}

export function readPage(page: string): string {
  return readFileSync(join(REPOSITORY, page), "utf8");
}

/** The anchors of its headings, in order, as GitHub generates them; lines in fenced blocks are no headings. */
export function headingsOf(markdown: string): string[] {
  const titles = [...markdown.replaceAll(/^ *```[^]*?^ *```$/gm, "").matchAll(/^#+ (.+)$/gm)];
  const times = new Map<string, number>();
  return titles.map(([, title = ""]) => {
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-");
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; indent: number; language: string; note: Note | undefined; lines: string[] } | undefined;
  let above = "";
  markdown.split("\n").forEach((text, index) => {
    const fence = /^( *)```(.*)$/.exec(text);
    if (fence === null) {
      if (open === undefined) above = text;
      else open.lines.push(text.slice(open.indent));
    } else if (open === undefined) {
      const [, indent = "", language = ""] = fence;
      open = { line: index + 1, indent: indent.length, language: language.trim(), note: noteOf(above), lines: [] };
    } else {
      blocks.push(open);
      open = undefined;
      above = "";
    }
  });
  if (open !== undefined) throw new Error(`the block that begins on line ${open.line} has no end`);
  return blocks;
}

const NOTES: readonly (readonly [name: Note["name"], line: RegExp])[] = [
  ["file", /^ *\*\*`([^`]+)`\*\*$/],
  ["part of", /^ *From \*\*`([^`]+)`\*\*:$/],
  ["in", /^ *In \*\*`([^`]+)`\*\*:$/],
  ["not run", /^ *<!-- not run: (.+) -->$/],
];

function noteOf(line: string): Note | undefined {
  for (const [name, pattern] of NOTES) {
    const value = pattern.exec(line)?.[1];
    if (value !== undefined) return { name, value };
  }
  return undefined;
}

/** Notes that readers do not see, or without a block below: `LINE: TEXT` of each. */
export function misplacedNotes(markdown: string): string[] {
  const lines = markdown.split("\n");
  let inBlock = false;
  return lines.flatMap((text, index) => {
    const isFence = /^ *```/.test(text);
    const isProse = !inBlock && !isFence;
    if (isFence) inBlock = !inBlock;
    const isHidden = text.includes("<!--") && !/^ *<!-- not run: .+ -->$/.test(text);
    const isAlone = noteOf(text) !== undefined && !/^ *```\S/.test(lines[index + 1] ?? "");
    return isProse && (isHidden || isAlone) ? [`${index + 1}: ${text}`] : [];
  });
}

/** The files of a page, by their paths. */
export function filesOfPage(page: string): Record<string, string> {
  const blocks = blocksOf(readPage(page));
  return Object.fromEntries(
    blocks.flatMap(({ note, lines }) => (note?.name === "file" ? [[note.value, `${lines.join("\n")}\n`]] : [])),
  );
}

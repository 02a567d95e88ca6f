/** A page of the documentation: its Markdown in, its fenced blocks out, each with the comment that says what it is for. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** `<!-- file: pool.yaml -->` on the line above a block. */
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

/** README.md and the pages of docs/, as far as they are there. */
export function pages(): string[] {
  const docs = readdirSync(join(REPOSITORY, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...docs.toSorted().map((name) => `docs/${name}`)].filter((page) =>
    existsSync(join(REPOSITORY, page)),
  );
}

export function readPage(page: string): string {
  return readFileSync(join(REPOSITORY, page), "utf8");
}

/** The anchors of its headings, in order, as GitHub makes them; what looks like one in a fenced block is none. */
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

function noteOf(line: string): Note | undefined {
  const [, name, value] = /^ *<!-- (file|part of|in|not run): (.+) -->$/.exec(line) ?? [];
  return name === undefined || value === undefined ? undefined : { name: name as Note["name"], value };
}

/** The files of a page, by their paths. */
export function filesOfPage(page: string): Record<string, string> {
  const blocks = blocksOf(readPage(page));
  return Object.fromEntries(
    blocks.flatMap(({ note, lines }) => (note?.name === "file" ? [[note.value, `${lines.join("\n")}\n`]] : [])),
  );
}

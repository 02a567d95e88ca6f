/** Blocks as annotations of GitHub Actions, and the lines below them. */
import { annotation } from "../findings/github.ts";
import { printable, withoutCommands } from "../terminal/printable.ts";
import { type Block, blocksOf, byRank, headingText, textOf, valuesOf } from "./blocks.ts";

/** Empty without lines. A step shows ten annotations of each kind, so the highest rank comes first. */
export function blocksGithub(blocks: readonly Block[]): string {
  const shown = blocksOf(blocks, "github");
  const notes = shown.flatMap((block) => (block.kind === "section" ? (block.notes?.() ?? []) : []));
  const annotations = byRank(notes).map(({ level, title, file, line, heading, blocks: inner }) =>
    annotation(level, { file, line, title }, plainLines([heading, ...inner]).join("\n")),
  );
  const below = plainLines(shown).map((line) => withoutCommands(printable(line)));
  return [...annotations, ...below].map((line) => `${line}\n`).join("");
}

/** Without sections, and without code that no sentence announces: they are in the log of the job. */
function plainLines(blocks: readonly Block[]): string[] {
  return blocksOf(blocks, "github").flatMap((block) => {
    switch (block.kind) {
      case "heading":
        return [headingText(block)];
      case "paragraph":
      case "bar":
        return [textOf(block.words)];
      case "list":
        return block.items.map(textOf);
      case "facts":
        return valuesOf(block).map(([name, values]) => `${name.text}: ${values.map(textOf).join(", ")}`);
      case "code":
        return block.caption === undefined ? [] : [`${block.caption}:`, ...block.lines.map(({ text }) => `  ${text}`)];
      default:
        return [];
    }
  });
}

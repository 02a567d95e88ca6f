/** Converts docs/findings.md to dist/findings.json: a text for each code, for terminals and SARIF. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../docs/findings.md", import.meta.url));

/** Texts by code. Code blocks are indented by four columns, which Markdown reads as code too. */
export function findingTexts(page: string): Record<string, string> {
  const sections = page.split(/^(?=##+ )/m).filter((section) => section.startsWith("### "));
  return Object.fromEntries(
    sections.map((section) => {
      const [code = "", ...lines] = section.slice("### ".length).split("\n");
      return [code, plain(lines.join("\n"))];
    }),
  );
}

function plain(markdown: string): string {
  const blocks = markdown.split(/^```\w*$/m);
  const parts = blocks.map((block, index) => (index % 2 === 0 ? prose(block) : indented(block)));
  return `${parts
    .join("")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

function prose(text: string): string {
  return (
    text
      .replaceAll(/<!--[^>]*-->\n?/g, "")
      // The example's folder is in the repository, which readers of the package may not have.
      .replaceAll(/^(?:In|From) \*\*`fixtures\/[^\n]*\n/gm, "")
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll("**", "")
      .replaceAll(/^\*(.*)\*$/gm, "$1")
  );
}

function indented(code: string): string {
  return code.replaceAll(/^(?=.)/gm, "    ");
}

export function buildFindings(folder: string): void {
  const texts = findingTexts(readFileSync(PAGE, "utf8"));
  writeFileSync(join(folder, "findings.json"), `${JSON.stringify(texts)}\n`);
}

/** What docs/findings.md says of each finding, as text for terminals and for SARIF: dist/findings.json. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../docs/findings.md", import.meta.url));

/** By code. Code stands four columns in, which Markdown takes for code as well. */
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
      // The folder of the example is the repository's, which who reads this may not have.
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
